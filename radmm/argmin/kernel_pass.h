/* One pass over a node's rows for several runs at once. NAME(x) keeps names apart from those of the C library.

   All runs share every data row, so runs are the lanes: a row's nonzeros are read once for up to 16 runs. Arrays that
   Python sees are (node, feature, run); inside, up to WIDEST vectors of runs stand together for each feature. */

typedef double NAME(vec) __attribute__((vector_size(32)));
typedef long long NAME(mask) __attribute__((vector_size(32)));
#define vec NAME(vec)
#define mask NAME(mask)

/* e^t for t ≤ 0, to about one unit in the last place: t = n ln 2 + r, |r| ≤ ln 2 / 2, and a polynomial of degree 11 in r
   that interpolates e^r at Chebyshev's points (relative error 1.5e-17); Estrin's scheme keeps its chains short. */
INLINE vec NAME(exp_negative)(vec t)
{
    const double shift = 0x1.8p52; /* added, it leaves the nearest integer in the low bits */
    const mask too_low = t < -708.0;
    t = (vec)(((mask)t & ~too_low) | ((mask)(vec){-708.0, -708.0, -708.0, -708.0} & too_low));
    const vec shifted = t * 0x1.71547652b82fep0 + shift;
    const vec n = shifted - shift;
    const vec r = (t - n * 0x1.62e42fefa39efp-1) - n * 0x1.abc9e3b39803fp-56;
    const vec r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
    const vec a = (1.0 + r) + r2 * (0x1.0000000000011p-1 + r * 0x1.555555555555ap-3);
    const vec b = (0x1.555555554f067p-5 + r * 0x1.111111110f205p-7) + r2 * (0x1.6c16c1881156bp-10 + r * 0x1.a01a01b150ad2p-13);
    const vec c = (0x1.a01991731e6fap-16 + r * 0x1.71ddf5514be0cp-19) + r2 * (0x1.28b43a93fe57ap-22 + r * 0x1.af635e4f6b5eep-26);
    const vec p = a + r4 * b + r8 * c;
    return (vec)((mask)p + ((mask)shifted << 52));
}

INLINE vec NAME(select)(mask m, vec yes, vec no) { return (vec)((m & (mask)yes) | (~m & (mask)no)); }
INLINE vec NAME(absolute)(vec z) { return (vec)((mask)z & 0x7fffffffffffffffLL); }

/* z ↦ e^−|z| */
INLINE vec NAME(decay)(vec z) { return NAME(exp_negative)(-NAME(absolute)(z)); }

/* The sum of f over each combination's columns. */
INLINE void NAME(combine)(const int K, const struct rows *data, const vec *f, vec *table)
{
    for (int64_t c = 0; c < data->combinations; c++) {
        vec sum[WIDEST] = {{0}};
        for (int64_t at = data->member_start[c]; at < data->member_start[c + 1]; at++)
            for (int k = 0; k < K; k++) sum[k] += f[(int64_t)data->member[at] * K + k];
        for (int k = 0; k < K; k++) table[c * K + k] = sum[k];
    }
}

/* Back from sums over the rows of each combination to the gradient. */
INLINE void NAME(separate)(const int K, const struct rows *data, const vec *table, vec *gradient)
{
    for (int64_t c = 0; c < data->combinations; c++)
        for (int64_t at = data->member_start[c]; at < data->member_start[c + 1]; at++)
            for (int k = 0; k < K; k++) gradient[(int64_t)data->member[at] * K + k] += table[c * K + k];
}

/* The margins of rows [row, end) with f, which is (feature, K vectors), and the table of its combinations: first the
   sparse columns, row by row, then the dense ones, four at a time in registers. */
INLINE void NAME(gather)(const int K, const struct rows *data, int64_t row, int64_t end, const vec *f, const vec *table,
                         vec *z)
{
    const uint16_t *code = data->code + row * data->parts;
    for (int64_t i = 0; i < end - row; i++, code += data->parts) {
        vec sum[WIDEST] = {{0}};
        for (int64_t part = 0; part < data->parts; part++) {
            const vec *here = table + (int64_t)code[part] * K;
            for (int k = 0; k < K; k++) sum[k] += here[k];
        }
        for (int k = 0; k < K && data->parts; k++) sum[k] *= data->scale[row + i];
        for (int64_t at = data->start[row + i]; at < data->start[row + i + 1]; at++) {
            const vec *here = f + (int64_t)data->column[at] * K;
            for (int k = 0; k < K; k++) sum[k] += data->value[at] * here[k];
        }
        for (int k = 0; k < K; k++) z[i * K + k] = sum[k];
    }
    for (int64_t group = 0; group < data->groups; group++) {
        const double *value = data->dense + (group * data->count + row) * GROUP;
        vec four[GROUP * WIDEST];
        for (int g = 0; g < GROUP; g++)
            for (int k = 0; k < K; k++) four[g * K + k] = f[(int64_t)data->dense_column[group * GROUP + g] * K + k];
        for (int64_t i = 0; i < end - row; i++, value += GROUP)
            for (int g = 0; g < GROUP; g++)
                for (int k = 0; k < K; k++) z[i * K + k] += value[g] * four[g * K + k];
    }
}

/* Add the rows, each times its slopes, to the gradient, and where they have combinations to the table. */
INLINE void NAME(scatter)(const int K, const struct rows *data, int64_t row, int64_t end, const vec *slope, vec *gradient,
                          vec *table)
{
    const uint16_t *code = data->code + row * data->parts;
    for (int64_t i = 0; i < end - row; i++, code += data->parts) {
        vec scaled[WIDEST];
        for (int k = 0; k < K && data->parts; k++) scaled[k] = data->scale[row + i] * slope[i * K + k];
        for (int64_t part = 0; part < data->parts; part++) {
            vec *here = table + (int64_t)code[part] * K;
            for (int k = 0; k < K; k++) here[k] += scaled[k];
        }
        for (int64_t at = data->start[row + i]; at < data->start[row + i + 1]; at++) {
            vec *here = gradient + (int64_t)data->column[at] * K;
            for (int k = 0; k < K; k++) here[k] += data->value[at] * slope[i * K + k];
        }
    }
    for (int64_t group = 0; group < data->groups; group++) {
        const double *value = data->dense + (group * data->count + row) * GROUP;
        vec four[GROUP * WIDEST];
        for (int k = 0; k < GROUP * K; k++) four[k] = (vec){0};
        for (int64_t i = 0; i < end - row; i++, value += GROUP)
            for (int g = 0; g < GROUP; g++)
                for (int k = 0; k < K; k++) four[g * K + k] += value[g] * slope[i * K + k];
        for (int g = 0; g < GROUP; g++)
            for (int k = 0; k < K; k++) gradient[(int64_t)data->dense_column[group * GROUP + g] * K + k] += four[g * K + k];
    }
}

/* Σ log(1 + e^−z) over blocks of rows without a logarithm for each: Σ max(−z, 0) + log Π(1 + e^−|z|). */
struct NAME(total) {
    vec linear[WIDEST], product[WIDEST];
};

INLINE void NAME(close_product)(const int K, struct NAME(total) *sum)
{
    for (int k = 0; k < K; k++)
        for (int lane = 0; lane < 4; lane++) {
            sum->linear[k][lane] += log(sum->product[k][lane]);
            sum->product[k][lane] = 1.0;
        }
}

INLINE struct NAME(total) NAME(start_total)(const int K)
{
    struct NAME(total) sum;
    for (int k = 0; k < K; k++) sum.linear[k] = (vec){0}, sum.product[k] = (vec){0} + 1.0;
    return sum;
}

/* The Huberised hinge of width h: L = h s² + max(1 − h − z, 0), L' = −s, where s is (1 + h − z)/(2h) cut to [0, 1]. */
INLINE void NAME(add_huber_block)(const int K, double width, int64_t rows, const vec *z, vec *slope, struct NAME(total) *sum)
{
    const vec zero = {0}, one = zero + 1.0;
    for (int64_t i = 0; i < rows; i++)
        for (int k = 0; k < K; k++) {
            const vec margin = z[i * K + k], below = 1.0 - width - margin;
            vec share = (1.0 + width - margin) / (2.0 * width);
            share = NAME(select)(share > 0.0, share, zero);
            share = NAME(select)(share < 1.0, share, one);
            sum->linear[k] += width * share * share + NAME(select)(below > 0.0, below, zero);
            if (slope) slope[i * K + k] = -share;
        }
}

/* Add the losses of some margins and write their slopes, unless that is NULL; width 0 is the logistic loss. */
INLINE void NAME(add_block)(const int K, double width, int64_t rows, const vec *z, vec *slope, struct NAME(total) *sum)
{
    if (width > 0.0) {
        NAME(add_huber_block)(K, width, rows, z, slope, sum);
        return;
    }
    for (int64_t i = 0; i < rows; i++)
        for (int k = 0; k < K; k++) {
            const vec margin = z[i * K + k], e = NAME(decay)(margin);
            sum->linear[k] += 0.5 * (NAME(absolute)(margin) - margin);
            sum->product[k] *= 1.0 + e;
            if (slope) slope[i * K + k] = -NAME(select)(margin >= 0.0, e, (vec){0} + 1.0) / (1.0 + e);
        }
}

/* Softmax: from the scores of a block of rows, class after class, the losses log Σ e^(s_k − s_y); the scores become the
   slopes p_k − [k = y]. The largest is taken out, so that the factors 1 … q of the product stay below 2^1024. */
INLINE void NAME(add_softmax_block)(const int K, int64_t classes, int64_t rows, const int64_t *label, vec *score,
                                    struct NAME(total) *sum)
{
    const int64_t apart = BLOCK * K;
    for (int64_t i = 0; i < rows; i++)
        for (int k = 0; k < K; k++) {
            vec *here = score + i * K + k, largest = here[0], total = {0};
            const vec own = here[label[i] * apart];
            for (int64_t c = 1; c < classes; c++) largest = NAME(select)(here[c * apart] > largest, here[c * apart], largest);
            for (int64_t c = 0; c < classes; c++) total += here[c * apart] = NAME(exp_negative)(here[c * apart] - largest);
            sum->linear[k] += largest - own;
            sum->product[k] *= total;
            for (int64_t c = 0; c < classes; c++) here[c * apart] /= total;
            here[label[i] * apart] -= 1.0;
        }
    NAME(close_product)(K, sum);
}

/* Σ L of a node's rows [row, last) in value and, if wanted, Σ L' (p − e_y) xᵀ in gradient. */
INLINE void NAME(add_softmax_rows)(const int K, const struct task *task, int64_t node, int64_t row, int64_t last, const vec *f,
                                   vec *value, vec *gradient)
{
    vec score[MOST_CLASSES * BLOCK * WIDEST];
    struct NAME(total) sum = NAME(start_total)(K);
    const int64_t column = features(task) * K, *label = task->label + task->node_start[node];
    const struct rows *data = task->data + node;
    for (; row < last; row += BLOCK) {
        const int64_t end = row + BLOCK < last ? row + BLOCK : last;
        for (int64_t c = 0; c < task->classes; c++)
            NAME(gather)(K, data, row, end, f + c * column, NULL, score + c * BLOCK * K);
        NAME(add_softmax_block)(K, task->classes, end - row, label + row, score, &sum);
        for (int64_t c = 0; c < task->classes && gradient; c++)
            NAME(scatter)(K, data, row, end, score + c * BLOCK * K, gradient + c * column, NULL);
    }
    for (int k = 0; k < K; k++) value[k] = sum.linear[k];
}

/* Σ L of a node's rows [row, last) in value and, if wanted, Σ L' y x in gradient, for columns of combinations in sums. */
INLINE void NAME(add_rows)(const int K, const struct task *task, int64_t node, int64_t row, int64_t last, const vec *f,
                           const vec *table, vec *value, vec *gradient, vec *sums)
{
    const struct rows *data = task->data + node;
    if (gradient) {
        for (int64_t j = 0; j < task->dimension * K; j++) gradient[j] = (vec){0};
        for (int64_t c = 0; c < data->combinations * K; c++) sums[c] = (vec){0};
    }
    if (task->classes > 1) {
        NAME(add_softmax_rows)(K, task, node, row, last, f, value, gradient);
        return;
    }
    vec z[BLOCK * WIDEST];
    struct NAME(total) sum = NAME(start_total)(K);
    for (int64_t blocks = 1; row < last; row += BLOCK, blocks++) {
        const int64_t end = row + BLOCK < last ? row + BLOCK : last;
        NAME(gather)(K, data, row, end, f, table, z);
        NAME(add_block)(K, task->width, end - row, z, gradient ? z : NULL, &sum);
        if (blocks % 8 == 0) NAME(close_product)(K, &sum); /* 8 blocks of 64 factors of at most 2: below 2^1024 */
        if (gradient) NAME(scatter)(K, data, row, end, z, gradient, sums);
    }
    NAME(close_product)(K, &sum);
    for (int k = 0; k < K; k++) value[k] = sum.linear[k];
}

/* A pass in pieces, each of which has sums of its own, one after the other: value, gradient, and those of combinations. */
struct NAME(pass) {
    struct pieces pieces; /* at the beginning, so that a pointer to it is one to the whole */
    const struct task *task;
    int64_t node, length; /* length: rows of a piece */
    const vec *f, *table;
    vec *sums;
    int with_gradient;
};

/* Vectors that a piece's sums take. */
INLINE int64_t NAME(sums_size)(const int K, const struct task *task, const struct rows *data)
{
    return (1 + task->dimension + data->combinations) * K;
}

INLINE void NAME(add_piece)(const int K, const struct NAME(pass) *pass, int64_t piece)
{
    const struct rows *data = pass->task->data + pass->node;
    const int64_t row = piece * pass->length, d = pass->task->dimension;
    vec *value = pass->sums + piece * NAME(sums_size)(K, pass->task, data), *gradient = value + K;
    NAME(add_rows)(K, pass->task, pass->node, row, row + pass->length < data->count ? row + pass->length : data->count,
                   pass->f, pass->table, value, pass->with_gradient ? gradient : NULL, gradient + d * K);
}

/* Functions of their own for each width: the compiler would take minutes over one that has them all inside. */
#define PIECE(K) \
    static void NAME(add_piece_##K)(const struct pieces *pieces, int64_t piece) \
    { \
        NAME(add_piece)(K, (const struct NAME(pass) *)pieces, piece); \
    }
PIECE(1)
PIECE(2)
PIECE(3)
PIECE(4)
#undef PIECE

/* One pass over a node's rows: Σ L in value and, if wanted, Σ L' y x in gradient. The table is that of f, to work in. */
INLINE void NAME(pass)(const int K, struct worker *worker, int64_t node, const vec *f, vec *value, vec *gradient, vec *table)
{
    const struct task *task = worker->task;
    const struct rows *data = task->data + node;
    const int64_t count = pieces_of(data->count), size = NAME(sums_size)(K, task, data), d = task->dimension;
    struct NAME(pass) pass = {
        .pieces = {K == 1 ? NAME(add_piece_1) : K == 2 ? NAME(add_piece_2) : K == 3 ? NAME(add_piece_3) : NAME(add_piece_4), count},
        .task = task, .node = node, .length = (data->count + count - 1) / count,
        .f = f, .table = table, .sums = worker->sums, .with_gradient = gradient != NULL};
    vec *sums = worker->sums, *combined = sums + (1 + d) * K;
    NAME(combine)(K, data, f, table);
    work_off(worker, &pass.pieces);
    for (int64_t piece = 1; piece < count; piece++)
        for (int64_t j = 0; j < (gradient ? size : K); j++) sums[j] += sums[piece * size + j];
    memcpy(value, sums, K * sizeof(vec));
    if (!gradient) return;
    memcpy(gradient, sums + K, d * K * sizeof(vec));
    NAME(separate)(K, data, combined, gradient);
}
