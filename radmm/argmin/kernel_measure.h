/* What is asked of rows beside solves, on top of kernel_node.h: sums of losses and gradients, and mistakes. */

/* Σ L of a node's runs, into task->loss. */
static void NAME(losses)(struct worker *worker, int64_t node)
{
    const struct task *task = worker->task;
    const int64_t d = task->dimension, runs = task->runs;
    for (int64_t run = 0, used; run < runs; run += used) {
        used = share_of_runs(runs - run);
        vec *point = worker->room, *table = point + d * WIDEST, value[WIDEST];
#define BODY(K) \
    NAME(load)(K, d, runs, used, task->point + node * d * runs + run, point); \
    NAME(pass)(K, worker, node, point, value, NULL, table); \
    NAME(store)(K, 1, runs, used, value, task->loss + node * runs + run)
        FOR_WIDTH((used + 3) / 4, BODY)
#undef BODY
    }
}

/* Σ ∇L of a node's runs, into task->slope. */
static void NAME(gradients)(struct worker *worker, int64_t node)
{
    const struct task *task = worker->task;
    const int64_t d = task->dimension, runs = task->runs;
    for (int64_t run = 0, used; run < runs; run += used) {
        used = share_of_runs(runs - run);
        vec *point = worker->room, *gradient = point + d * WIDEST, *table = gradient + d * WIDEST, value[WIDEST];
#define BODY(K) \
    NAME(load)(K, d, runs, used, task->point + node * d * runs + run, point); \
    NAME(pass)(K, worker, node, point, value, gradient, table); \
    NAME(store)(K, d, runs, used, gradient, task->slope + node * d * runs + run)
        FOR_WIDTH((used + 3) / 4, BODY)
#undef BODY
    }
}

/* How many of a node's rows have a margin that is not positive, into task->loss. */
INLINE void NAME(count_mistakes)(const int K, const struct task *task, int64_t node, int64_t run, int64_t used, vec *point)
{
    const struct rows *data = task->data + node;
    const int64_t d = task->dimension, runs = task->runs;
    vec z[BLOCK * WIDEST], *table = point + d * K;
    mask count[WIDEST] = {{0}};
    NAME(load)(K, d, runs, used, task->point + node * d * runs + run, point);
    NAME(combine)(K, data, point, table);
    for (int64_t row = 0; row < data->count; row += BLOCK) {
        const int64_t end = row + BLOCK < data->count ? row + BLOCK : data->count;
        NAME(gather)(K, data, row, end, point, table, z);
        for (int64_t i = 0; i < end - row; i++)
            for (int k = 0; k < K; k++) count[k] -= z[i * K + k] <= 0.0;
    }
    for (int64_t lane = 0; lane < used; lane++)
        task->loss[node * runs + run + lane] = (double)count[lane / 4][lane % 4];
}

static void NAME(mistakes)(struct worker *worker, int64_t node)
{
    const struct task *task = worker->task;
    for (int64_t run = 0, used; run < task->runs; run += used) {
        used = share_of_runs(task->runs - run);
#define BODY(K) NAME(count_mistakes)(K, task, node, run, used, worker->room)
        FOR_WIDTH((used + 3) / 4, BODY)
#undef BODY
    }
}
