/* The evaluation kernels, once for each flavour of vector: included by kernel.h with these macros set.
 *   F(name)   the name of a function in this flavour
 *   V         a vector of doubles; VN of them make a row of eight lanes
 *   LOAD STORE SPLAT MUL ADD MAX   its operations; MAX(a, b) is a > b ? a : b
 * No fused multiply-add anywhere: all flavours give the same bits. */

typedef struct { V v[VN]; } F(row);

static inline F(row) F(load)(const double *p)
{
    F(row) r; int i;
    for (i = 0; i < VN; i++) r.v[i] = LOAD(p + i * (8 / VN));
    return r;
}

static inline void F(store)(double *p, F(row) r)
{
    int i;
    for (i = 0; i < VN; i++) STORE(p + i * (8 / VN), r.v[i]);
}

static inline F(row) F(max)(F(row) a, F(row) b)
{
    int i;
    for (i = 0; i < VN; i++) a.v[i] = MAX(b.v[i], a.v[i]);
    return a;
}

static inline F(row) F(add)(F(row) a, F(row) b)
{
    int i;
    for (i = 0; i < VN; i++) a.v[i] = ADD(a.v[i], b.v[i]);
    return a;
}

static inline F(row) F(scale)(F(row) a, double w)
{
    int i;
    V s = SPLAT(w);
    for (i = 0; i < VN; i++) a.v[i] = MUL(a.v[i], s);
    return a;
}

/* value[m] = max of u over mask m. tables: for each of five bytes of a mask the maximum over its bits, 256 rows each. */
static void F(masks)(double *value, const uint64_t *masks, int64_t n, const double *tables)
{
    int64_t i; int byte;
    for (i = 0; i < n; i++) {
        uint64_t m = masks[i];
        F(row) r = F(load)(tables + (m & 255) * 8);
        for (byte = 1; byte < 5; byte++)
            r = F(max)(r, F(load)(tables + (byte * 256 + (m >> (8 * byte) & 255)) * 8));
        F(store)(value + i * 8, r);
    }
}

/* value[i] = weighted mean over the outcomes of node i. */
static void F(nodes)(double *value, int64_t n, const uint32_t *start, const uint8_t *dice, const uint32_t *outcomes,
                     const double *mask_value)
{
    static const double share[6] = {1.0, 1.0 / 6, 1.0 / 36, 1.0 / 216, 1.0 / 1296, 1.0 / 7776};
    int64_t i; uint32_t k;
    for (i = 0; i < n; i++) {
        F(row) sum = F(scale)(F(load)(mask_value + (outcomes[start[i]] >> 13) * 8), outcomes[start[i]] & 8191);
        for (k = start[i] + 1; k < start[i + 1]; k++)
            sum = F(add)(sum, F(scale)(F(load)(mask_value + (outcomes[k] >> 13) * 8), outcomes[k] & 8191));
        F(store)(value + i * 8, F(scale)(sum, share[dice[i]]));
    }
}

/* value[i] = maximum over the entries of list i: the value of mask first[i] and of the nodes and lists named. */
static void F(lists)(double *value, int64_t n, const uint16_t *first, const uint32_t *start, const uint16_t *entries,
                     const double *mask_value, const double *node_value)
{
    int64_t i; uint32_t k;
    for (i = 0; i < n; i++) {
        F(row) best = F(load)(mask_value + (int64_t)first[i] * 8), other = best;
        uint32_t end = start[i + 1];
        for (k = start[i]; k + 1 < end; k += 2) {
            best = F(max)(best, F(load)(node_value + (int64_t)entries[k] * 8));
            other = F(max)(other, F(load)(node_value + (int64_t)entries[k + 1] * 8));
        }
        if (k < end) best = F(max)(best, F(load)(node_value + (int64_t)entries[k] * 8));
        F(store)(value + i * 8, F(max)(best, other));
    }
}

/* total += sum of n rows. */
static void F(sum)(double *total, const double *value, int64_t n)
{
    int64_t i;
    F(row) block = F(load)(value);
    for (i = 1; i < n; i++) block = F(add)(block, F(load)(value + i * 8));
    F(store)(total, F(add)(F(load)(total), block));
}

static const xp84_flavour F(flavour) = {F(masks), F(nodes), F(lists), F(sum)};

#undef F
#undef V
#undef VN
#undef LOAD
#undef STORE
#undef SPLAT
#undef MUL
#undef ADD
#undef MAX
