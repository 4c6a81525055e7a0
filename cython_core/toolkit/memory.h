/* Memory for tables: zeroed when it is first touched, so that a small question does not pay for a large table, and in huge
 * pages where the system has them, as random probes then miss the TLB far less. */
#ifndef EXACTPLAY_MEMORY_H
#define EXACTPLAY_MEMORY_H

#include <stdint.h>
#include <stdlib.h>

/* From the start of a cache line; the byte before it holds the way back to what calloc gave. */
static inline void *xp_lines_new(size_t bytes)
{
    char *raw = (char *)calloc(1, bytes + 64), *table;
    if (raw == NULL) return NULL;
    table = raw + 64 - ((uintptr_t)raw & 63);
    table[-1] = (char)(table - raw);
    return table;
}
static inline void xp_lines_free(void *table)
{
    if (table != NULL) free((char *)table - ((char *)table)[-1]);
}

#if defined(__linux__)
#include <sys/mman.h>
#define XP_LARGE ((size_t)8 << 20)
static inline void *xp_table_new(size_t bytes)
{
    void *table;
    if (bytes < XP_LARGE) return xp_lines_new(bytes);
    table = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (table == MAP_FAILED) return NULL;
#ifdef MADV_HUGEPAGE
    madvise(table, bytes, MADV_HUGEPAGE);
#endif
    return table;
}
static inline void xp_table_free(void *table, size_t bytes)
{
    if (table == NULL || bytes < XP_LARGE) xp_lines_free(table); else munmap(table, bytes);
}
#else
static inline void *xp_table_new(size_t bytes) { return xp_lines_new(bytes); }
static inline void xp_table_free(void *table, size_t bytes) { (void)bytes; xp_lines_free(table); }
#endif

#endif
