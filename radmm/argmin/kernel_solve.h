/* L-BFGS for the runs of a node, on top of kernel_lanes.h: the algorithm of lbfgs.py, where each lane is a run of its own. */

/* The L-BFGS direction, two loops over the last pairs; a pair without positive curvature has weight zero. */
INLINE void NAME(find_direction)(const int K, const struct task *task, int64_t node, const struct NAME(history) *past,
                                 const struct NAME(evaluation) *here, vec *direction, vec *work)
{
    const int64_t wide = NAME(point_size)(task), d = NAME(gradient_size)(task);
    const int64_t oldest = past->count > MEMORY ? past->count - MEMORY : 0;
    vec share[MEMORY * WIDEST], product[WIDEST];
    for (int64_t j = 0; j < d * K; j++) direction[j] = -here->gradient[j];
    for (int64_t p = past->count - 1; p >= oldest; p--) {
        const int64_t slot = p % MEMORY;
        const vec *step = past->step + slot * wide * K, *change = past->change + slot * d * K;
        NAME(dot)(K, d, step, direction, product);
        for (int k = 0; k < K; k++) share[slot * K + k] = past->inverse[slot * K + k] * product[k];
        for (int64_t j = 0; j < d; j++)
            for (int k = 0; k < K; k++) direction[j * K + k] -= share[slot * K + k] * change[j * K + k];
    }
    CALL(precondition, K, task, node, here, direction, work);
    for (int64_t p = oldest; p < past->count; p++) {
        const int64_t slot = p % MEMORY;
        const vec *step = past->step + slot * wide * K, *change = past->change + slot * d * K;
        NAME(dot)(K, d, change, direction, product);
        for (int k = 0; k < K; k++) product[k] = share[slot * K + k] - past->inverse[slot * K + k] * product[k];
        for (int64_t j = 0; j < wide; j++)
            for (int k = 0; k < K; k++) direction[j * K + k] += product[k] * step[j * K + k];
    }
}

INLINE void NAME(remember)(const int K, const struct task *task, struct NAME(history) *past,
                           const struct NAME(evaluation) *from, const struct NAME(evaluation) *to)
{
    const int64_t slot = past->count++ % MEMORY, wide = NAME(point_size)(task), d = NAME(gradient_size)(task);
    vec *step = past->step + slot * wide * K, *change = past->change + slot * d * K, product[WIDEST];
    for (int64_t j = 0; j < wide * K; j++) step[j] = to->point[j] - from->point[j];
    for (int64_t j = 0; j < d * K; j++) change[j] = to->gradient[j] - from->gradient[j];
    NAME(dot)(K, d, step, change, product);
    for (int k = 0; k < K; k++) {
        const mask positive = product[k] > 0.0;
        past->inverse[slot * K + k] = (vec)((mask)(1.0 / NAME(select)(positive, product[k], (vec){0} + 1.0)) & positive);
    }
}

INLINE int NAME(any)(const int K, const mask *m)
{
    long long found = 0;
    for (int k = 0; k < K; k++)
        for (int lane = 0; lane < 4; lane++) found |= m[k][lane];
    return found != 0;
}

/* Halve each lane's step until it is acceptable; those for which it never was stay, and are told. */
INLINE void NAME(line_search)(const int K, const struct task *task, struct NAME(lanes) *lanes, mask *rejected)
{
    const int64_t wide = NAME(point_size)(task), d = NAME(gradient_size)(task), node = lanes->node;
    const struct NAME(evaluation) *from = &lanes->here;
    struct NAME(evaluation) *to = &lanes->there;
    const vec *direction = lanes->direction, *linear = lanes->linear;
    /* The value's rounding error scales with its terms, and with the root of how many rows were added up. */
    const double rounding = EPSILON * (8 + 4 * sqrt((double)task->data[node].count));
    vec slope[WIDEST], after[WIDEST], length[WIDEST];
    NAME(dot)(K, d, from->gradient, direction, slope);
    for (int k = 0; k < K; k++) length[k] = (vec){0} + 1.0;
    for (int halvings = 0;; halvings++) {
        for (int64_t j = 0; j < wide; j++)
            for (int k = 0; k < K; k++) to->point[j * K + k] = from->point[j * K + k] + length[k] * direction[j * K + k];
        CALL(evaluate, K, lanes->worker, node, linear, lanes->table, to);
        lanes->passes++;
        if (halvings > MAX_HALVINGS) return; /* the rejected lanes are back where they were */
        NAME(dot)(K, d, to->gradient, direction, after);
        for (int k = 0; k < K; k++) {
            const vec slack = rounding * from->magnitude[k];
            const mask decreased = to->value[k] <= from->value[k] + ARMIJO * length[k] * slope[k];
            const mask flat = (to->value[k] <= from->value[k] + slack) & (after[k] <= (2 * ARMIJO - 1) * slope[k]);
            rejected[k] = ~(decreased | flat | (slope[k] == 0.0));
        }
        if (!NAME(any)(K, rejected)) return;
        for (int k = 0; k < K; k++)
            length[k] = NAME(select)(rejected[k], halvings < MAX_HALVINGS ? 0.5 * length[k] : (vec){0}, length[k]);
    }
}

/* Whether no lane's run can be near its end, by norms that cost a small node less than those that count. */
INLINE int NAME(all_far)(const int K, const struct task *task, const struct NAME(lanes) *lanes)
{
    vec square[WIDEST];
    if (!task->small || lanes->passes >= task->max_passes) return 0;
    NAME(dot)(K, task->core, lanes->here.gradient, lanes->here.gradient, square);
    for (int64_t lane = 0; lane < lanes->used; lane++)
        if (!(square[lane / 4][lane % 4] > FAR * FAR * task->tolerance * task->tolerance)
            || lanes->stuck[lane / 4][lane % 4] || !lanes->active[lane / 4][lane % 4])
            return 0;
    return 1;
}

/* Finish the lanes that have converged or can't; returns how many are left. */
INLINE int64_t NAME(mark_active)(const int K, const struct task *task, struct NAME(lanes) *lanes)
{
    vec square[WIDEST];
    int64_t count = 0;
    if (NAME(all_far)(K, task, lanes)) return lanes->used;
    NAME(square_norm)(K, task, lanes->node, lanes->here.gradient, lanes->work, square);
    for (int64_t lane = 0; lane < lanes->used; lane++) {
        if (!lanes->active[lane / 4][lane % 4]) continue;
        const double residual = sqrt(square[lane / 4][lane % 4]);
        const int64_t place = lanes->node * task->runs + lanes->run[lane];
        task->residual[place] = residual;
        task->passes[place] = lanes->passes;
        if (residual <= task->tolerance || lanes->stuck[lane / 4][lane % 4] || lanes->passes >= task->max_passes) {
            lanes->active[lane / 4][lane % 4] = 0;
            NAME(finish)(K, task, lanes, lane);
        } else count++;
    }
    return count;
}

/* L-BFGS until the runs that are left fill fewer vectors; returns how many. */
INLINE int NAME(advance)(const int K, const struct task *task, struct NAME(lanes) *lanes)
{
    const int64_t wide = NAME(point_size)(task);
    mask rejected[WIDEST] = {{0}};
    for (int k = 0; k < K; k++) lanes->stuck[k] = (mask){0};
    const int64_t enough = task->small ? 0 : 4 * (K - 1); /* a small node's passes cost less than moving the lanes */
    while (NAME(mark_active)(K, task, lanes) > enough) {
        NAME(find_direction)(K, task, lanes->node, &lanes->past, &lanes->here, lanes->direction, lanes->work);
        for (int64_t j = 0; j < wide; j++)
            for (int k = 0; k < K; k++)
                lanes->direction[j * K + k] = (vec)((mask)lanes->direction[j * K + k] & lanes->active[k]);
        NAME(line_search)(K, task, lanes, rejected);
        for (int k = 0; k < K; k++) lanes->stuck[k] |= rejected[k];
        NAME(remember)(K, task, &lanes->past, &lanes->here, &lanes->there);
        const struct NAME(evaluation) swap = lanes->here;
        lanes->here = lanes->there;
        lanes->there = swap;
    }
    return NAME(repack)(K, task, lanes);
}

/* Runs [run, run + used) of one node, where their search begins. */
INLINE void NAME(begin)(const int K, const struct task *task, struct NAME(lanes) *lanes, int64_t run)
{
    const int64_t d = task->dimension, runs = task->runs, corner = lanes->node * d * runs + run;
    struct NAME(evaluation) *here = &lanes->here;
    if (task->small) {
        NAME(begin_small)(K, task, lanes->node, run, lanes->used, lanes->linear, here->point, lanes->work);
        CALL(evaluate, K, lanes->worker, lanes->node, lanes->linear, lanes->table, here);
        lanes->passes++;
        return;
    }
    NAME(load)(K, d, runs, lanes->used, task->linear + corner, lanes->linear);
    NAME(load)(K, d, runs, lanes->used, task->point + corner, here->point);
    if (task->known) { /* Σ L and its gradient are known where the last solve ended */
        NAME(load)(K, d, runs, lanes->used, task->slope + corner, here->gradient);
        NAME(load)(K, 1, runs, lanes->used, task->loss + lanes->node * runs + run, here->data);
        NAME(complete)(K, task, lanes->node, lanes->linear, here);
    } else {
        CALL(evaluate, K, lanes->worker, lanes->node, lanes->linear, lanes->table, here);
        lanes->passes++;
    }
}

static void NAME(minimise_lanes)(struct worker *worker, int64_t node, int64_t run, int64_t used)
{
    const struct task *task = worker->task;
    vec *room = worker->room;
    const int64_t wide = room_width(task) * WIDEST;
    struct NAME(lanes) lanes = {.worker = worker, .node = node, .used = used, .linear = room, .direction = room + wide};
    lanes.here.point = room + 2 * wide, lanes.here.gradient = room + 3 * wide;
    lanes.there.point = room + 4 * wide, lanes.there.gradient = room + 5 * wide;
    lanes.past.step = room + 6 * wide, lanes.past.change = lanes.past.step + MEMORY * wide;
    lanes.past.inverse = lanes.past.change + MEMORY * wide;
    lanes.work = lanes.past.inverse + MEMORY * WIDEST;
    lanes.table = lanes.work + wide;
    for (int64_t lane = 0; lane < used; lane++) lanes.run[lane] = run + lane;
    int width = (int)((used + 3) / 4);
    NAME(activate)(width, &lanes);
#define BODY(K) NAME(begin)(K, task, &lanes, run)
    FOR_WIDTH(width, BODY)
#undef BODY
#define BODY(K) width = NAME(advance)(K, task, &lanes)
    while (width) FOR_WIDTH(width, BODY)
#undef BODY
#define BODY(K) NAME(recover)(K, task, node, run, used, lanes.direction, lanes.work)
    if (task->small) FOR_WIDTH((used + 3) / 4, BODY)
#undef BODY
}

static void NAME(minimise)(struct worker *worker, int64_t node)
{
    for (int64_t run = 0, used; run < worker->task->runs; run += used) {
        used = share_of_runs(worker->task->runs - run);
        NAME(minimise_lanes)(worker, node, run, used);
    }
}
