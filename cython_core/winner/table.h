/* The table of the two-player search: zeroed, from a cache line on, on huge pages where the system has them. */
#ifndef EXACTPLAY_WINNER_TABLE_H
#define EXACTPLAY_WINNER_TABLE_H

#include <stdlib.h>

#if defined(__linux__)
#include <sys/mman.h>
#define WN_LARGE ((size_t)16 << 20)
static void *wn_new_table(size_t bytes)
{
    void *table;
    if (bytes < WN_LARGE) return calloc(1, bytes);
    table = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (table == MAP_FAILED) return NULL;
#ifdef MADV_HUGEPAGE
    madvise(table, bytes, MADV_HUGEPAGE);
#endif
    return table;
}
static void wn_free_table(void *table, size_t bytes)
{
    if (table == NULL || bytes < WN_LARGE) free(table); else munmap(table, bytes);
}
#else
static void *wn_new_table(size_t bytes) { return calloc(1, bytes); }
static void wn_free_table(void *table, size_t bytes) { (void)bytes; free(table); }
#endif

#endif
