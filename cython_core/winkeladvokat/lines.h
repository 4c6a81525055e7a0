/* Lines of the 8 x 8 board, jumps, and the numbers that positions are hashed with: tables of each module that includes this. */
#ifndef EXACTPLAY_WINKELADVOKAT_LINES_H
#define EXACTPLAY_WINKELADVOKAT_LINES_H

#include "toolkit/bits.h"

#define WA_NOT_FILE_A 0xFEFEFEFEFEFEFEFEULL
#define WA_NOT_FILE_H 0x7F7F7F7F7F7F7F7FULL
#define WA_INNER_FILE 0x0001010101010100ULL
#define WA_GATHER_FILE 0x0004081020408000ULL

static uint64_t wa_rank_reach[8][64], wa_file_reach[8][64], wa_neighbours[64], wa_between[64][64];
static int wa_jump_over[8][64], wa_jump_landing[8][64];
static uint64_t wa_square_hash[4][2][64], wa_supply_hash[4][32], wa_turn_hash[4];

/* What is seen from a place of a line with these inner squares occupied, in one direction. */
static uint64_t wa_reach(int at, int inner, int step)
{
    uint64_t reach = 0;
    int i;
    for (i = at + step; i >= 0 && i < 8; i += step) {
        reach |= 1ULL << i;
        if (i >= 1 && i <= 6 && inner >> (i - 1) & 1) break;
    }
    return reach;
}

static void wa_build_lines(void)
{
    static const int across[8] = {1, 0, -1, 0, 1, -1, -1, 1}, up[8] = {0, 1, 0, -1, 1, 1, -1, -1};
    uint64_t seed = 1;
    int at, inner, i, square, other, direction, player;
    for (at = 0; at < 8; at++)
        for (inner = 0; inner < 64; inner++) {
            uint64_t reach = wa_reach(at, inner, 1) | wa_reach(at, inner, -1);
            wa_rank_reach[at][inner] = reach;
            wa_file_reach[at][inner] = 0;
            for (i = 0; i < 8; i++) wa_file_reach[at][inner] |= (reach >> i & 1) << (8 * i);
        }
    for (square = 0; square < 64; square++) {
        wa_neighbours[square] = 0;
        for (direction = 0; direction < 8; direction++) {
            int file = (square & 7) + across[direction], rank = (square >> 3) + up[direction];
            int far_file = file + across[direction], far_rank = rank + up[direction];
            wa_jump_over[direction][square] = wa_jump_landing[direction][square] = -1;
            if (far_file >= 0 && far_file < 8 && far_rank >= 0 && far_rank < 8) {
                wa_jump_over[direction][square] = 8 * rank + file;
                wa_jump_landing[direction][square] = 8 * far_rank + far_file;
            }
            if (direction < 4 && file >= 0 && file < 8 && rank >= 0 && rank < 8)
                wa_neighbours[square] |= 1ULL << (8 * rank + file);
        }
        for (other = 0; other < 64; other++) {
            int same_file = (square & 7) == (other & 7), same_rank = square >> 3 == other >> 3;
            int step = (other > square ? 1 : -1) * (same_file ? 8 : 1);
            wa_between[square][other] = 0;
            if (square == other || !(same_file || same_rank)) continue;
            for (i = square + step; i != other; i += step) wa_between[square][other] |= 1ULL << i;
        }
    }
    for (player = 0; player < 4; player++) {
        wa_turn_hash[player] = xp_mix64(seed += 0x9E3779B97F4A7C15ULL);
        for (i = 0; i < 128; i++) wa_square_hash[player][i >> 6][i & 63] = xp_mix64(seed += 0x9E3779B97F4A7C15ULL);
        for (i = 0; i < 32; i++) wa_supply_hash[player][i] = xp_mix64(seed += 0x9E3779B97F4A7C15ULL);
    }
}

#endif
