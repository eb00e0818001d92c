/* The runs of one node that are solved together, a lane each, and how those that are done leave the others. */

/* The last steps of L-BFGS and the changes of the gradient along them. */
struct NAME(history) {
    vec *step, *change, *inverse; /* MEMORY slots */
    int64_t count;
};

/* The runs of one node that are being solved together; those that are done leave when fewer vectors then do. */
struct NAME(lanes) {
    struct worker *worker;
    int64_t node, used, run[4 * WIDEST], passes;
    vec *linear, *direction, *work, *table; /* table: of f over the combinations */
    struct NAME(evaluation) here, there;
    struct NAME(history) past;
    mask stuck[WIDEST], active[WIDEST];
};

/* What is known where a lane's run ended; the slopes, Σ L' y x or a small node's pulls, are what the next solve starts from. */
static void NAME(finish)(const int K, const struct task *task, const struct NAME(lanes) *lanes, int64_t lane)
{
    const int64_t d = NAME(gradient_size)(task), runs = task->runs, run = lanes->run[lane], corner = lanes->node * d * runs + run;
    const double inverse = 1.0 / task->weight[lanes->node], q = task->curvature[lanes->node];
    for (int64_t j = 0; j < d; j++) {
        const int64_t at = j * K + lane / 4, l = lane % 4;
        const double point = lanes->here.point[at][l];
        if (task->small) {
            task->slope[corner + j * runs] = lanes->here.point[d * K + at][l];
            continue;
        }
        task->point[corner + j * runs] = point;
        task->slope[corner + j * runs] = inverse * (lanes->here.gradient[at][l] - lanes->linear[at][l] - q * point);
    }
    task->loss[lanes->node * runs + run] = lanes->here.data[lane / 4][lane % 4];
}

/* In place: new lane l of each row of lanes is the old lane kept[l]; ascending, so nothing is overwritten too early. */
static void NAME(squeeze)(vec *array, int64_t rows, int from, int to, const int64_t *kept, int64_t count)
{
    double *lane = (double *)array;
    for (int64_t j = 0; j < rows; j++)
        for (int64_t l = 0; l < 4 * to; l++) lane[j * 4 * to + l] = l < count ? lane[j * 4 * from + kept[l]] : 0.0;
}

/* All lanes that have a run. */
INLINE void NAME(activate)(const int K, struct NAME(lanes) *lanes)
{
    for (int64_t lane = 0; lane < 4 * K; lane++)
        lanes->active[lane / 4][lane % 4] = lane < lanes->used ? -1 : 0;
}

/* Let the lanes go that are not active; returns the number of vectors that the others fill. */
static int NAME(repack)(const int K, const struct task *task, struct NAME(lanes) *lanes)
{
    int64_t kept[4 * WIDEST], count = 0;
    const int64_t wide = NAME(point_size)(task), d = NAME(gradient_size)(task);
    for (int64_t lane = 0; lane < lanes->used; lane++)
        if (lanes->active[lane / 4][lane % 4]) kept[count++] = lane;
    const int to = (int)((count + 3) / 4);
    if (!to) return 0;
    vec *scalars[] = {lanes->here.value, lanes->here.magnitude, lanes->here.data};
    for (int i = 0; i < 3; i++) NAME(squeeze)(scalars[i], 1, K, to, kept, count);
    NAME(squeeze)(lanes->linear, d, K, to, kept, count);
    NAME(squeeze)(lanes->here.point, wide, K, to, kept, count);
    NAME(squeeze)(lanes->here.gradient, d, K, to, kept, count);
    const int64_t pairs = lanes->past.count < MEMORY ? lanes->past.count : MEMORY;
    NAME(squeeze)(lanes->past.step, pairs * wide, K, to, kept, count);
    NAME(squeeze)(lanes->past.change, pairs * d, K, to, kept, count);
    NAME(squeeze)(lanes->past.inverse, pairs, K, to, kept, count);
    for (int64_t lane = 0; lane < count; lane++) lanes->run[lane] = lanes->run[kept[lane]];
    lanes->used = count;
    NAME(activate)(to, lanes);
    return to;
}

/* Calls body(K) with K a constant the compiler knows. */
#define FOR_WIDTH(K, body) \
    switch (K) { \
    case 1: body(1); break; \
    case 2: body(2); break; \
    case 3: body(3); break; \
    default: body(4); break; \
    }
