/* Each node's Hessian: every row's curvature, and their sum Σ curvature x xᵀ. */

INLINE vec NAME(bend)(const struct task *task, vec margin)
{
    if (task->width > 0.0)
        return NAME(select)(NAME(absolute)(1.0 - margin) < task->width, (vec){0} + 0.5 / task->width, (vec){0});
    const vec e = NAME(decay)(margin);
    return e / ((1.0 + e) * (1.0 + e));
}

/* L'' of each of a node's rows, summed over the runs, into curvature. */
INLINE void NAME(add_curvatures)(const int K, const struct task *task, int64_t node, int64_t run, int64_t used,
                                 double *curvature, vec *point)
{
    const struct rows *data = task->data + node;
    const int64_t d = task->dimension, runs = task->runs;
    vec z[BLOCK * WIDEST], *table = point + d * K;
    mask has_run[WIDEST] = {{0}};
    for (int64_t lane = 0; lane < used; lane++) has_run[lane / 4][lane % 4] = -1;
    NAME(load)(K, d, runs, used, task->point + node * d * runs + run, point);
    NAME(combine)(K, data, point, table);
    for (int64_t row = 0; row < data->count; row += BLOCK) {
        const int64_t end = row + BLOCK < data->count ? row + BLOCK : data->count;
        NAME(gather)(K, data, row, end, point, table, z);
        for (int64_t i = 0; i < end - row; i++) {
            vec sum = {0};
            for (int k = 0; k < K; k++) {
                const vec bend = NAME(bend)(task, z[i * K + k]);
                sum += (vec)((mask)bend & has_run[k]);
            }
            curvature[row + i] += (sum[0] + sum[1]) + (sum[2] + sum[3]);
        }
    }
}

static void NAME(curvatures)(struct worker *worker, int64_t node)
{
    const struct task *task = worker->task;
    double *curvature = worker->team->out + task->node_start[node];
    for (int64_t row = 0; row < task->data[node].count; row++) curvature[row] = 0.0;
    for (int64_t run = 0, used; run < task->runs; run += used) {
        used = share_of_runs(task->runs - run);
#define BODY(K) NAME(add_curvatures)(K, task, node, run, used, curvature, worker->room)
        FOR_WIDTH((used + 3) / 4, BODY)
#undef BODY
    }
}

/* A row's columns that stand in a group, as one vector. */
INLINE vec NAME(group_of)(const struct rows *data, int64_t group, int64_t row)
{
    vec values;
    memcpy(&values, data->dense + (group * data->count + row) * GROUP, sizeof values);
    return values;
}

/* The products of two combinations' columns; of one with itself, those on one side of the diagonal. */
INLINE void NAME(add_products)(const struct rows *data, int64_t one, int64_t other, double amount, int64_t d, double *hessian)
{
    const int64_t first = data->member_start[other], last = data->member_start[other + 1];
    for (int64_t a = data->member_start[one]; a < data->member_start[one + 1]; a++) {
        double *line = hessian + data->member[a] * d;
        for (int64_t b = first; b < (one == other ? a + 1 : last); b++) line[data->member[b]] += amount;
    }
}

/* Two parts of a node's rows. Where few pairs of combinations are possible, rows are added up by pair before. */
INLINE void NAME(add_parts)(const struct rows *data, int64_t d, int64_t one, int64_t other, const double *amount, double *table,
                            double *hessian)
{
    const int64_t begin = data->part_start[one], across = data->part_start[other];
    const int64_t length = data->part_start[one + 1] - begin, width = data->part_start[other + 1] - across;
    const uint16_t *code = data->code;
    if (length * width > TABLE || length * width > PAIRS_EACH * data->count) {
        for (int64_t i = 0; i < data->count; i++, code += data->parts)
            NAME(add_products)(data, code[one], code[other], amount[i], d, hessian);
        return;
    }
    for (int64_t at = 0; at < length * width; at++) table[at] = 0.0;
    for (int64_t i = 0; i < data->count; i++, code += data->parts)
        table[(code[one] - begin) * width + code[other] - across] += amount[i];
    for (int64_t c = 0; c < length; c++)
        for (int64_t e = 0; e < width; e++)
            if (table[c * width + e] != 0.0)
                NAME(add_products)(data, begin + c, across + e, table[c * width + e], d, hessian);
}

/* Every part with itself. */
INLINE void NAME(add_own)(const struct rows *data, int64_t d, const double *amount, double *table, double *hessian)
{
    for (int64_t c = 0; c < data->combinations; c++) table[c] = 0.0;
    for (int64_t row = 0; row < data->count; row++)
        for (int64_t part = 0; part < data->parts; part++) table[data->code[row * data->parts + part]] += amount[row];
    for (int64_t c = 0; c < data->combinations; c++) NAME(add_products)(data, c, c, table[c], d, hessian);
}

/* The products of one of a row's entries with the columns of its combinations. */
INLINE void NAME(add_entry)(const struct rows *data, int64_t row, double value, double *line)
{
    for (int64_t part = 0; part < data->parts; part++) {
        const int64_t code = data->code[row * data->parts + part];
        for (int64_t at = data->member_start[code]; at < data->member_start[code + 1]; at++)
            line[data->member[at]] += data->scale[row] * value;
    }
}

/* A row's other products: those of its other columns, and of every column or combination with each group. */
INLINE void NAME(add_row)(const struct rows *data, int64_t row, double curvature, int64_t d, double *hessian, vec *cross)
{
    for (int64_t a = data->start[row]; a < data->start[row + 1]; a++) {
        const double value = curvature * data->value[a];
        const int64_t column = data->column[a];
        for (int64_t b = data->start[row]; b <= a; b++) hessian[column * d + data->column[b]] += value * data->value[b];
        NAME(add_entry)(data, row, value, hessian + column * d);
        for (int64_t g = 0; g < data->groups; g++) cross[column * data->groups + g] += value * NAME(group_of)(data, g, row);
    }
    for (int64_t g = 0; g < data->groups; g++) {
        const vec scaled = curvature * NAME(group_of)(data, g, row);
        for (int64_t h = 0; h < data->groups; h++)
            for (int i = 0; i < GROUP; i++)
                cross[data->dense_column[g * GROUP + i] * data->groups + h] += scaled[i] * NAME(group_of)(data, h, row);
        for (int64_t part = 0; part < data->parts; part++)
            cross[(d + data->code[row * data->parts + part]) * data->groups + g] += data->scale[row] * scaled;
    }
}

/* (d, d) into the node's part of out; the room is for (feature or combination, group) vectors, a table of pairs and a
   number a row. */
static void NAME(hessians)(struct worker *worker, int64_t node)
{
    const struct task *task = worker->task;
    const struct rows *data = task->data + node;
    const int64_t d = features(task), groups = data->groups, columns = d + data->combinations;
    const double *curvature = worker->team->curvature + task->node_start[node];
    vec *cross = worker->room;
    double *hessian = worker->team->out + node * d * d, *table = (double *)(cross + columns * groups), *amount = table + TABLE;
    for (int64_t j = 0; j < d * d; j++) hessian[j] = 0.0;
    for (int64_t j = 0; j < columns * groups; j++) cross[j] = (vec){0};
    for (int64_t row = 0; row < data->count; row++) NAME(add_row)(data, row, curvature[row], d, hessian, cross);
    for (int64_t row = 0; row < data->count && data->parts; row++)
        amount[row] = curvature[row] * data->scale[row] * data->scale[row];
    for (int64_t one = 0; one < data->parts; one++)
        for (int64_t other = 0; other < one; other++) NAME(add_parts)(data, d, one, other, amount, table, hessian);
    NAME(add_own)(data, d, amount, table, hessian);
    NAME(separate)(groups, data, cross + d * groups, cross);
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = i + 1; j < d; j++) /* each product stands on one side of the diagonal */
            hessian[i * d + j] = hessian[j * d + i] = hessian[i * d + j] + hessian[j * d + i];
    for (int64_t i = 0; i < d; i++)
        for (int64_t g = 0; g < groups * GROUP; g++) {
            const int64_t j = data->dense_column[g];
            hessian[i * d + j] = hessian[j * d + i] = cross[i * groups + g / GROUP][g % GROUP];
        }
}

#undef FOR_WIDTH
#undef CALL
#undef vec
#undef mask
