# Memory for tables: see memory.h.
cdef extern from "toolkit/memory.h" nogil:
    void* xp_table_new(size_t bytes)  # zeroed, from the start of a cache line; NULL: no memory
    void xp_table_free(void* table, size_t bytes)
