# A growing hash map from 64-bit keys (not ~0) to 64-bit values.
from libc.stdint cimport uint64_t

cdef extern from "toolkit/hashmap.h" nogil:
    ctypedef struct xp_slot:
        uint64_t key
        uint64_t value
    ctypedef struct xp_map:
        xp_slot* slots
        uint64_t mask
        uint64_t count
    int xp_map_init(xp_map* m, unsigned int log2_size)  # 0: no memory
    void xp_map_free(xp_map* m)
    uint64_t* xp_map_get(const xp_map* m, uint64_t key)  # NULL: not there; valid until the next put
    int xp_map_put(xp_map* m, uint64_t key, uint64_t value)  # 0: no memory, and the map stays as it was
