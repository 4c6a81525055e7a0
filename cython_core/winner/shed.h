/* Tables of candidates.pxd: which cards of a rank may be chosen so that no free card could be exchanged for a higher one. */
#ifndef EXACTPLAY_WINNER_SHED_H
#define EXACTPLAY_WINNER_SHED_H

#include "toolkit/bits.h"

#define WN_PLAIN 0xFFFFFFFFFFFFFULL
#define WN_JOKERS (3ULL << 52)

static uint8_t wn_shed[5][16][16][8], wn_shed_number[5][16][16];
static const int wn_place_shift[15] = {0, 44, 48, 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44};

static void wn_build_shed(void)
{
    int size, held, bound, chosen, high;
    for (size = 1; size < 5; size++) for (held = 0; held < 16; held++) for (bound = 0; bound < 16; bound++) {
        wn_shed_number[size][held][bound] = 0;
        for (chosen = 0; chosen < 16; chosen++) {
            if ((chosen & ~held) || xp_popcount64(chosen) != size) continue;
            /* A free card left in hand that is lower than the highest one chosen? */
            high = 63 - xp_clz64(chosen);
            if (held & ~chosen & ~bound & ((1 << high) - 1)) continue;
            wn_shed[size][held][bound][wn_shed_number[size][held][bound]++] = (uint8_t)chosen;
        }
    }
}

#endif
