/* A growing hash map from 64-bit keys to 64-bit values: open addressing, linear probing, no deletion.
 * The key ~0 is reserved. On lack of memory map_put returns 0 and the map stays as it was. */
#ifndef EXACTPLAY_HASHMAP_H
#define EXACTPLAY_HASHMAP_H

#include <stdlib.h>
#include <string.h>
#include "bits.h"

typedef struct { uint64_t key, value; } xp_slot;
typedef struct { xp_slot *slots; uint64_t mask, count; } xp_map;

static int xp_map_init(xp_map *m, unsigned log2_size)
{
    m->mask = (1ULL << log2_size) - 1;
    m->count = 0;
    m->slots = (xp_slot *)malloc((size_t)(m->mask + 1) * sizeof(xp_slot));
    if (m->slots) memset(m->slots, 0xFF, (size_t)(m->mask + 1) * sizeof(xp_slot));
    return m->slots != NULL;
}

static void xp_map_free(xp_map *m) { free(m->slots); m->slots = NULL; }

/* The value of a key, or NULL. Valid until the next map_put. */
static inline uint64_t *xp_map_get(const xp_map *m, uint64_t key)
{
    uint64_t i = xp_mix64(key) & m->mask;
    while (m->slots[i].key != ~0ULL) {
        if (m->slots[i].key == key) return &m->slots[i].value;
        i = (i + 1) & m->mask;
    }
    return NULL;
}

static int xp_map_put(xp_map *m, uint64_t key, uint64_t value)
{
    uint64_t i;
    if (2 * (m->count + 1) > m->mask) {
        xp_map bigger;
        unsigned log2_size = 1;
        while ((1ULL << log2_size) <= m->mask) log2_size++;
        if (!xp_map_init(&bigger, log2_size + 1)) return 0;
        for (i = 0; i <= m->mask; i++)
            if (m->slots[i].key != ~0ULL) xp_map_put(&bigger, m->slots[i].key, m->slots[i].value);
        xp_map_free(m);
        *m = bigger;
    }
    i = xp_mix64(key) & m->mask;
    while (m->slots[i].key != ~0ULL && m->slots[i].key != key) i = (i + 1) & m->mask;
    if (m->slots[i].key != key) { m->slots[i].key = key; m->count++; }
    m->slots[i].value = value;
    return 1;
}

#endif
