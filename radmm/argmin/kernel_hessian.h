/* Each node's Hessian: every row's curvature, and their sum Σ curvature x xᵀ. */

INLINE vec NAME(bend)(const struct task *task, vec margin)
{
    if (task->width > 0.0)
        return NAME(select)(NAME(absolute)(1.0 - margin) < task->width, (vec){0} + 0.5 / task->width, (vec){0});
    const vec e = NAME(decay)(margin);
    return e / ((1.0 + e) * (1.0 + e));
}

/* L'' of every row, summed over the runs, into curvature. */
INLINE void NAME(add_curvatures)(const int K, const struct task *task, int64_t node, int64_t run, int64_t used,
                                 double *curvature, vec *point)
{
    const int64_t d = task->dimension, runs = task->runs, last = task->node_start[node + 1];
    vec z[BLOCK * WIDEST], *table = point + d * K;
    mask has_run[WIDEST] = {{0}};
    for (int64_t lane = 0; lane < used; lane++) has_run[lane / 4][lane % 4] = -1;
    NAME(load)(K, d, runs, used, task->point + node * d * runs + run, point);
    NAME(combine)(K, &task->data, point, table);
    for (int64_t row = task->node_start[node]; row < last; row += BLOCK) {
        const int64_t end = row + BLOCK < last ? row + BLOCK : last;
        NAME(gather)(K, &task->data, row, end, point, table, z);
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

static void NAME(curvatures)(const struct task *task, double *curvature, void *room)
{
    for (int64_t row = 0; row < task->data.count; row++) curvature[row] = 0.0;
    for (int64_t node = 0; node < task->nodes; node++)
        for (int64_t run = 0, used; run < task->runs; run += used) {
            used = share_of_runs(task->runs - run);
#define BODY(K) NAME(add_curvatures)(K, task, node, run, used, curvature, room)
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

/* A row's columns that are in no group and its values there. */
struct NAME(entries) {
    int64_t count, *column;
    double *value;
};

INLINE void NAME(spell_out)(const struct rows *data, int64_t row, struct NAME(entries) *entries)
{
    int64_t count = 0;
    for (int64_t part = 0; part < data->parts; part++) {
        const int64_t code = data->code[row * data->parts + part];
        for (int64_t at = data->member_start[code]; at < data->member_start[code + 1]; at++, count++) {
            entries->column[count] = data->member[at];
            entries->value[count] = data->scale[row];
        }
    }
    for (int64_t at = data->start[row]; at < data->start[row + 1]; at++, count++) {
        entries->column[count] = data->column[at];
        entries->value[count] = data->value[at];
    }
    entries->count = count;
}

/* A row's share: products of its other columns, and of every column with each group. */
INLINE void NAME(add_row)(const struct rows *data, int64_t row, const struct NAME(entries) *entries, double curvature,
                          int64_t d, double *hessian, vec *cross)
{
    for (int64_t a = 0; a < entries->count; a++) {
        const double value = curvature * entries->value[a];
        const int64_t column = entries->column[a];
        for (int64_t b = 0; b <= a; b++) hessian[column * d + entries->column[b]] += value * entries->value[b];
        for (int64_t g = 0; g < data->groups; g++) cross[column * data->groups + g] += value * NAME(group_of)(data, g, row);
    }
    for (int64_t g = 0; g < data->groups; g++) {
        const vec scaled = curvature * NAME(group_of)(data, g, row);
        for (int64_t h = 0; h < data->groups; h++)
            for (int i = 0; i < GROUP; i++)
                cross[data->dense_column[g * GROUP + i] * data->groups + h] += scaled[i] * NAME(group_of)(data, h, row);
    }
}

/* (node, d, d) into out; the room is for (feature, group) vectors and a row's entries. */
static void NAME(hessians)(const struct task *task, const double *curvature, double *out, vec *cross)
{
    const int64_t d = features(task), groups = task->data.groups;
    double *room = (double *)(cross + d * groups);
    struct NAME(entries) entries = {.column = (int64_t *)room, .value = room + d};
    for (int64_t node = 0; node < task->nodes; node++) {
        double *hessian = out + node * d * d;
        for (int64_t j = 0; j < d * d; j++) hessian[j] = 0.0;
        for (int64_t j = 0; j < d * groups; j++) cross[j] = (vec){0};
        for (int64_t row = task->node_start[node]; row < task->node_start[node + 1]; row++) {
            NAME(spell_out)(&task->data, row, &entries);
            NAME(add_row)(&task->data, row, &entries, curvature[row], d, hessian, cross);
        }
        for (int64_t i = 0; i < d; i++)
            for (int64_t j = i + 1; j < d; j++) /* each product stands on one side of the diagonal */
                hessian[i * d + j] = hessian[j * d + i] = hessian[i * d + j] + hessian[j * d + i];
        for (int64_t i = 0; i < d; i++)
            for (int64_t g = 0; g < groups * GROUP; g++) {
                const int64_t j = task->data.dense_column[g];
                hessian[i * d + j] = hessian[j * d + i] = cross[i * groups + g / GROUP][g % GROUP];
            }
    }
}

#undef FOR_WIDTH
#undef CALL
#undef vec
#undef mask
