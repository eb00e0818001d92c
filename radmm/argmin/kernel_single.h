/* Passes in single precision, for the logistic loss on large nodes: half the memory, twice the lanes, and good enough
   until a run is near its end. What is reported is always from a pass in double precision.

   A pass in full (`single_pass`) knows slopes to about 1e-7. A pass that looks at differences (`change_pass`) starts from
   an anchor, the last point that was passed over in full, and adds up how much the slopes have changed since: it knows the
   change of the gradient to about 1e-6 of itself, however small, and needs neither exponential nor division. */

typedef float NAME(vecf) __attribute__((vector_size(SINGLE_BYTES)));
typedef int NAME(maskf) __attribute__((vector_size(SINGLE_BYTES)));
#define vecf NAME(vecf)
#define maskf NAME(maskf)

/* Where the last full pass was. */
struct NAME(anchor) {
    vec *point, *gradient; /* gradient: Σ L' y x */
    vec data[WIDEST];      /* Σ L */
    float *share;          /* −L' of every row, (row, lane) */
    float *here, *sum;     /* room for a point and a gradient, (feature, lane) */
    float *here_table, *sum_table; /* and for their tables, (combination, lane) */
    vec *tables;           /* that of f and of the gradient, in double precision */
    int valid, exact;      /* exact: of a pass in double precision */
};

INLINE vecf NAME(selectf)(maskf m, vecf yes, vecf no) { return (vecf)((m & (maskf)yes) | (~m & (maskf)no)); }

/* e^t for t ≤ 0 to about 1e-7: as exp_negative, with Taylor's polynomial of degree 6. */
INLINE vecf NAME(exp_negativef)(vecf t)
{
    const float shift = 0x1.8p23f;
    const vecf low = (vecf){0} - 87.0f;
    t = NAME(selectf)(t < low, low, t);
    const vecf shifted = t * 0x1.715476p0f + shift, n = shifted - shift;
    const vecf r = (t - n * 0x1.62e4p-1f) - n * 0x1.7f7d1cp-20f, r2 = r * r;
    const vecf a = (1.0f + r) + r2 * (0.5f + r * 0x1.555556p-3f);
    const vecf b = (0x1.555556p-5f + r * 0x1.111112p-7f) + r2 * 0x1.6c16c2p-10f;
    return (vecf)((maskf)(a + r2 * r2 * b) + ((maskf)shifted << 23));
}

/* As combine, gather and scatter, in single precision: K vectors of eight lanes. */
INLINE void NAME(combinef)(const int K, const struct rows *data, const vecf *f, vecf *table)
{
    for (int64_t c = 0; c < data->combinations; c++) {
        vecf sum[2] = {{0}};
        for (int64_t at = data->member_start[c]; at < data->member_start[c + 1]; at++)
            for (int k = 0; k < K; k++) sum[k] += f[(int64_t)data->member[at] * K + k];
        for (int k = 0; k < K; k++) table[c * K + k] = sum[k];
    }
}

INLINE void NAME(gatherf)(const int K, const struct rows *data, int64_t row, int64_t end, const vecf *f, const vecf *table,
                          vecf *z)
{
    const float *single = data->single, *scale = data->scale_single + row;
    const int32_t *column = data->column;
    const int64_t *start = data->start + row, parts = data->parts;
    const uint16_t *code = data->code + row * parts;
    for (int64_t i = 0; i < end - row; i++, code += parts) {
        vecf sum[2] = {{0}};
        for (int64_t part = 0; part < parts; part++) {
            const vecf *here = table + (int64_t)code[part] * K;
            for (int k = 0; k < K; k++) sum[k] += here[k];
        }
        for (int k = 0; k < K && parts; k++) sum[k] *= scale[i];
        for (int64_t at = start[i]; at < start[i + 1]; at++) {
            const vecf *here = f + (int64_t)column[at] * K;
            for (int k = 0; k < K; k++) sum[k] += single[at] * here[k];
        }
        for (int k = 0; k < K; k++) z[i * K + k] = sum[k];
    }
    for (int64_t group = 0; group < data->groups; group++) {
        const float *value = data->dense_single + (group * data->count + row) * GROUP;
        vecf four[GROUP * 2];
        for (int g = 0; g < GROUP; g++)
            for (int k = 0; k < K; k++) four[g * K + k] = f[(int64_t)data->dense_column[group * GROUP + g] * K + k];
        for (int64_t i = 0; i < end - row; i++, value += GROUP)
            for (int g = 0; g < GROUP; g++)
                for (int k = 0; k < K; k++) z[i * K + k] += value[g] * four[g * K + k];
    }
}

INLINE void NAME(scatterf)(const int K, const struct rows *data, int64_t row, int64_t end, const vecf *slope, vecf *gradient,
                           vecf *table)
{
    const float *single = data->single, *scale = data->scale_single + row;
    const int32_t *column = data->column;
    const int64_t *start = data->start + row, parts = data->parts;
    const uint16_t *code = data->code + row * parts;
    for (int64_t i = 0; i < end - row; i++, code += parts) {
        vecf scaled[2];
        for (int k = 0; k < K && parts; k++) scaled[k] = scale[i] * slope[i * K + k];
        for (int64_t part = 0; part < parts; part++) {
            vecf *here = table + (int64_t)code[part] * K;
            for (int k = 0; k < K; k++) here[k] += scaled[k];
        }
        for (int64_t at = start[i]; at < start[i + 1]; at++) {
            vecf *here = gradient + (int64_t)column[at] * K;
            for (int k = 0; k < K; k++) here[k] += single[at] * slope[i * K + k];
        }
    }
    for (int64_t group = 0; group < data->groups; group++) {
        const float *value = data->dense_single + (group * data->count + row) * GROUP;
        vecf four[GROUP * 2];
        for (int k = 0; k < GROUP * K; k++) four[k] = (vecf){0};
        for (int64_t i = 0; i < end - row; i++, value += GROUP)
            for (int g = 0; g < GROUP; g++)
                for (int k = 0; k < K; k++) four[g * K + k] += value[g] * slope[i * K + k];
        for (int g = 0; g < GROUP; g++)
            for (int k = 0; k < K; k++) gradient[(int64_t)data->dense_column[group * GROUP + g] * K + k] += four[g * K + k];
    }
}

/* Slopes of a block of margins, which are kept as shares too; its loss is added. */
INLINE void NAME(add_blockf)(const int K, int64_t rows, vecf *z, vecf *share, vecf *linear, vecf *product)
{
    for (int64_t i = 0; i < rows; i++)
        for (int k = 0; k < K; k++) {
            const vecf margin = z[i * K + k], size = (vecf)((maskf)margin & 0x7fffffff);
            const vecf e = NAME(exp_negativef)(-size);
            const vecf part = NAME(selectf)(margin >= 0.0f, e, (vecf){0} + 1.0f) / (1.0f + e);
            linear[k] += 0.5f * (size - margin);
            product[k] *= 1.0f + e;
            share[i * K + k] = part;
            z[i * K + k] = -part;
        }
}

/* How much slopes change where margins change by z, and by how much losses grow beyond what the old slopes say. With
   w = p(1 − p): L'' = w, L''' = w(2p − 1), L'''' = w(1 − 6w). */
INLINE void NAME(change_block)(const int K, int64_t rows, vecf *z, const vecf *share, vecf *beyond)
{
    for (int64_t i = 0; i < rows; i++)
        for (int k = 0; k < K; k++) {
            const vecf change = z[i * K + k], p = share[i * K + k], w = p - p * p;
            const vecf first = change * (p - 0.5f), second = change * change * (1.0f / 6.0f - w), bend = w * change;
            beyond[k] += bend * change * (0.5f + first * (1.0f / 3.0f) + second * 0.25f);
            z[i * K + k] = bend * (1.0f + first + second);
        }
}

/* Add the lanes of `from`, SINGLE_WIDTH(K) a row, to the 4 K of `to`; `from` is zero then. */
INLINE void NAME(flush)(const int K, int64_t rows, float *from, vec *to)
{
    double *sum = (double *)to;
    const int width = SINGLE_WIDTH(K);
    for (int64_t j = 0; j < rows; j++)
        for (int lane = 0; lane < 4 * K; lane++) {
            sum[j * 4 * K + lane] += from[j * width + lane];
            from[j * width + lane] = 0.0f;
        }
}

/* f, less the anchor if wanted, in single precision; lanes beyond those of f are zero. */
INLINE void NAME(narrow)(const int K, int64_t rows, const vec *f, const vec *less, float *to)
{
    const double *from = (const double *)f, *minus = (const double *)less;
    const int width = SINGLE_WIDTH(K);
    for (int64_t j = 0; j < rows; j++)
        for (int lane = 0; lane < width; lane++)
            to[j * width + lane] =
                lane >= 4 * K ? 0.0f : (float)(from[j * 4 * K + lane] - (minus ? minus[j * 4 * K + lane] : 0.0));
}

/* Σ L and Σ L' y x at f, in single precision over blocks, which are added up in double; f becomes the anchor. With
   `change`, by how much both differ from the anchor's. */
INLINE void NAME(single_pass)(const int K, const struct task *task, int64_t first, int64_t last, const vec *f,
                              struct NAME(anchor) *anchor, const int change, vec *value, vec *gradient)
{
    const int KF = SINGLE_WIDTH(K) * 4 / SINGLE_BYTES;
    const struct rows *data = &task->data;
    const int64_t d = task->dimension, combinations = data->combinations, often = FLUSH_BLOCKS + combinations / FLUSH_SHARE;
    vecf z[BLOCK * 2], *here = (vecf *)anchor->here, *sum = (vecf *)anchor->sum;
    vecf *here_table = (vecf *)anchor->here_table, *sum_table = (vecf *)anchor->sum_table;
    vec factor[WIDEST];
    NAME(narrow)(K, d, f, change ? anchor->point : NULL, anchor->here);
    NAME(combinef)(KF, data, here, here_table);
    for (int64_t j = 0; j < d * KF; j++) sum[j] = (vecf){0};
    for (int64_t c = 0; c < combinations * KF; c++) sum_table[c] = (vecf){0};
    for (int64_t c = 0; c < combinations * K; c++) anchor->tables[c] = (vec){0};
    for (int64_t j = 0; j < d * K; j++) gradient[j] = change ? anchor->gradient[j] : (vec){0};
    for (int k = 0; k < K; k++) value[k] = (vec){0}, factor[k] = (vec){0} + 1.0;
    for (int64_t row = first, blocks = 1; row < last; row += BLOCK, blocks++) {
        const int64_t end = row + BLOCK < last ? row + BLOCK : last;
        vecf *share = (vecf *)anchor->share + (row - first) * KF, linear[2] = {{0}}, product[2];
        for (int k = 0; k < KF; k++) product[k] = (vecf){0} + 1.0f;
        NAME(gatherf)(KF, data, row, end, here, here_table, z);
        if (change) NAME(change_block)(KF, end - row, z, share, linear);
        else NAME(add_blockf)(KF, end - row, z, share, linear, product);
        NAME(scatterf)(KF, data, row, end, z, sum, sum_table);
        NAME(flush)(K, 1, (float *)linear, value);
        for (int lane = 0; lane < 4 * K && !change; lane++) ((double *)factor)[lane] *= ((float *)product)[lane];
        if (blocks % often == 0 || end == last) {
            NAME(flush)(K, d, (float *)sum, gradient);
            NAME(flush)(K, combinations, (float *)sum_table, anchor->tables);
        }
        for (int lane = 0; lane < 4 * K && !change && blocks % 8 == 0; lane++) {
            ((double *)value)[lane] += log(((double *)factor)[lane]);
            ((double *)factor)[lane] = 1.0;
        }
    }
    NAME(separate)(K, data, anchor->tables, gradient);
    for (int lane = 0; lane < 4 * K && !change; lane++) ((double *)value)[lane] += log(((double *)factor)[lane]);
}
