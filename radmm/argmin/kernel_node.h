/* A node's subproblem for several runs at once: its value and gradient, and the approximate inverse Hessian.

   A large node's unknown is f itself. A small node's are its margins z = X f, which leave few dimensions: put
   f = −(linear + Xᵀu)/q, where the pulls u are C/B_i L' at the argmin. Then z = a − G u/q with G = X Xᵀ, a = −X linear/q, and
   what is minimised is (C/B_i) Σ L(z) + ½ u·(a − z), whose gradient in z is C/B_i L'(z) − u. The pulls follow the margins, so
   a point is both, (z, u), while a gradient belongs to z alone; Xᵀ takes it to that in f. small_nodes.py has the same. */

INLINE void NAME(dot)(const int K, int64_t dimension, const vec *a, const vec *b, vec *out)
{
    vec sum[WIDEST] = {{0}};
    for (int64_t j = 0; j < dimension; j++)
        for (int k = 0; k < K; k++) sum[k] += a[j * K + k] * b[j * K + k];
    for (int k = 0; k < K; k++) out[k] = sum[k];
}

/* out = matrix · in, a symmetric (size, size) matrix times (size, K vectors); four rows at a time stay in registers. One
   that the first cache can't hold is read along these rows, a small one across them. */
INLINE void NAME(multiply)(const int K, const int along, int64_t size, const double *matrix, const vec *in, vec *out)
{
    const int64_t down = along ? 1 : size, right = along ? size : 1;
    for (int64_t j = 0; j < size; j += 4) {
        const int64_t rows = size - j < 4 ? size - j : 4;
        vec sum[4 * WIDEST];
        for (int k = 0; k < 4 * K; k++) sum[k] = (vec){0};
        if (rows == 4)
            for (int64_t i = 0; i < size; i++)
                for (int r = 0; r < 4; r++)
                    for (int k = 0; k < K; k++) sum[r * K + k] += matrix[i * down + (j + r) * right] * in[i * K + k];
        else
            for (int64_t i = 0; i < size; i++)
                for (int r = 0; r < rows; r++)
                    for (int k = 0; k < K; k++) sum[r * K + k] += matrix[i * down + (j + r) * right] * in[i * K + k];
        for (int r = 0; r < rows; r++)
            for (int k = 0; k < K; k++) out[(j + r) * K + k] = sum[r * K + k];
    }
}

/* The lengths of a point and of a gradient. */
INLINE int64_t NAME(point_size)(const struct task *task) { return task->small ? 2 * task->core : task->dimension; }
INLINE int64_t NAME(gradient_size)(const struct task *task) { return task->small ? task->core : task->dimension; }

/* Every subproblem's value, gradient and the size of the value's terms at a point. */
struct NAME(evaluation) {
    vec *point, *gradient;
    vec value[WIDEST], magnitude[WIDEST], data[WIDEST]; /* data: Σ L */
};

/* A small node's rows: minus a gradient, in the first entries of v, becomes a direction of (z, u). See RowInverse. */
INLINE void NAME(precondition_rows)(const int K, const struct task *task, int64_t node, const struct NAME(evaluation) *here,
                                    vec *v, vec *work)
{
    const int64_t size = task->core;
    const double weight = task->weight[node], middle = middle_curvature(task) * weight, inverse = task->ridge[node] / task->curvature[node];
    const double *matrix = task->matrix + node * size * size;
    vec *step = work, *rest = work + size * K, *excess = v + size * K;
    for (int64_t j = 0; j < size * K; j++) {
        const vec pull = here->gradient[j] + here->point[size * K + j], most = (vec){0} + 2.0 * middle;
        vec own = -inverse * pull * (1.0 + (1.0 / weight) * pull); /* pull is C/B_i L', and L'' is −L' (1 + L') */
        if (task->width > 0.0)
            own = NAME(select)(NAME(absolute)(1.0 - here->point[j]) < task->width, inverse * most, (vec){0});
        excess[j] = NAME(select)(own < most, own, most) - middle;
    }
    NAME(multiply)(K, 0, size, matrix, v, step);
    for (int64_t j = 0; j < size * K; j++) rest[j] = v[j] - excess[j] * step[j];
    NAME(multiply)(K, 0, size, matrix, rest, step);
    for (int64_t j = 0; j < size * K; j++) {
        v[j] = inverse * step[j];
        v[size * K + j] = middle * step[j] - rest[j];
    }
}

/* Several classes: the matrix is for each column less their mean, and the mean sees the ridge alone. See Preconditioner. */
INLINE void NAME(precondition_columns)(const int K, const struct task *task, int64_t node, vec *v, vec *work)
{
    const int64_t d = features(task), column = d * K;
    const double share = 1.0 / (double)task->classes, inverse = 1.0 / task->ridge[node];
    vec *mean = work, *product = work + column;
    for (int64_t j = 0; j < column; j++) {
        mean[j] = (vec){0};
        for (int64_t c = 0; c < task->classes; c++) mean[j] += share * v[c * column + j];
    }
    for (int64_t c = 0; c < task->classes; c++) {
        vec *own = v + c * column;
        for (int64_t j = 0; j < column; j++) own[j] -= mean[j];
        NAME(multiply)(K, 1, d, task->matrix + node * d * d, own, product);
        for (int64_t j = 0; j < column; j++) own[j] = product[j] + inverse * mean[j];
    }
}

/* The same for either kind: times the approximate inverse Hessian. */
INLINE void NAME(precondition)(const int K, const struct task *task, int64_t node, const struct NAME(evaluation) *here,
                               vec *v, vec *work)
{
    const int64_t d = task->dimension;
    if (task->small) {
        NAME(precondition_rows)(K, task, node, here, v, work);
        return;
    }
    if (task->classes > 1) {
        NAME(precondition_columns)(K, task, node, v, work);
        return;
    }
    NAME(multiply)(K, 1, d, task->matrix + node * d * d, v, work);
    memcpy(v, work, d * K * sizeof(vec));
}

INLINE void NAME(complete)(const int K, const struct task *task, int64_t node, const vec *linear,
                           struct NAME(evaluation) *at)
{
    const int64_t d = task->dimension;
    const double weight = task->weight[node], q = task->curvature[node];
    vec pull[WIDEST], ridge[WIDEST];
    NAME(dot)(K, d, linear, at->point, pull);
    NAME(dot)(K, d, at->point, at->point, ridge);
    for (int64_t j = 0; j < d * K; j++) at->gradient[j] = weight * at->gradient[j] + linear[j] + q * at->point[j];
    for (int k = 0; k < K; k++) {
        const vec data = weight * at->data[k];
        at->value[k] = data + pull[k] + 0.5 * q * ridge[k];
        at->magnitude[k] = data + NAME(absolute)(pull[k]) + 0.5 * q * ridge[k];
    }
}

/* A small node, which has `core` rows. */
INLINE void NAME(evaluate_small)(const int K, const struct task *task, int64_t node, const vec *offset,
                                 struct NAME(evaluation) *at)
{
    const int64_t size = task->core;
    const double weight = task->weight[node];
    const vec *z = at->point, *pull = at->point + size * K;
    struct NAME(total) sum = NAME(start_total)(K);
    vec quadratic[WIDEST] = {{0}}, terms[WIDEST] = {{0}};
    for (int64_t i = 0; i < size; i += 8 * BLOCK) { /* factors of at most 2: their product stays below 2^1024 */
        const int64_t count = size - i < 8 * BLOCK ? size - i : 8 * BLOCK;
        NAME(add_block)(K, task->width, count, z + i * K, at->gradient + i * K, &sum);
        NAME(close_product)(K, &sum);
    }
    for (int64_t i = 0; i < size; i++)
        for (int k = 0; k < K; k++) {
            const int64_t j = i * K + k;
            at->gradient[j] = weight * at->gradient[j] - pull[j];
            quadratic[k] += pull[j] * (offset[j] - z[j]);
            terms[k] += NAME(absolute)(pull[j]) * (NAME(absolute)(offset[j]) + NAME(absolute)(z[j]));
        }
    for (int k = 0; k < K; k++) {
        at->data[k] = sum.linear[k];
        at->value[k] = weight * at->data[k] + 0.5 * quadratic[k];
        at->magnitude[k] = weight * at->data[k] + 0.5 * terms[k]; /* offset and z nearly cancel */
    }
}

/* linear: that term of a large node, the offset a of a small one. */
INLINE void NAME(evaluate)(const int K, struct worker *worker, int64_t node, const vec *linear, vec *table,
                           struct NAME(evaluation) *at)
{
    const struct task *task = worker->task;
    if (task->small) {
        NAME(evaluate_small)(K, task, node, linear, at);
        return;
    }
    NAME(pass)(K, worker, node, at->point, at->data, at->gradient, table);
    NAME(complete)(K, task, node, linear, at);
}

/* Functions of their own for each width, as in kernel_pass.h. */
#define FUNCTIONS(K) \
    NOINLINE void NAME(evaluate_##K)(struct worker *worker, int64_t node, const vec *linear, vec *table, \
                                     struct NAME(evaluation) *at) \
    { \
        NAME(evaluate)(K, worker, node, linear, table, at); \
    } \
    NOINLINE void NAME(precondition_##K)(const struct task *task, int64_t node, const struct NAME(evaluation) *here, vec *v, \
                                         vec *work) \
    { \
        NAME(precondition)(K, task, node, here, v, work); \
    } \
    NOINLINE void NAME(multiply_##K)(int64_t size, const double *matrix, const vec *in, vec *out) \
    { \
        NAME(multiply)(K, 0, size, matrix, in, out); \
    }
FUNCTIONS(1)
FUNCTIONS(2)
FUNCTIONS(3)
FUNCTIONS(4)
#undef FUNCTIONS
#define CALL(function, K, ...) \
    (K == 1 ? NAME(function##_1)(__VA_ARGS__) \
     : K == 2 ? NAME(function##_2)(__VA_ARGS__) \
     : K == 3 ? NAME(function##_3)(__VA_ARGS__) \
              : NAME(function##_4)(__VA_ARGS__))

/* The squared norm of the gradient in f. */
INLINE void NAME(square_norm)(const int K, const struct task *task, int64_t node, const vec *gradient, vec *work, vec *out)
{
    const int64_t size = task->core;
    if (task->small) {
        CALL(multiply, K, size, task->gram + node * size * size, gradient, work);
        NAME(dot)(K, size, work, gradient, out);
        for (int k = 0; k < K; k++) out[k] = NAME(absolute)(out[k]); /* rounding may take it below zero */
    } else NAME(dot)(K, task->dimension, gradient, gradient, out);
}

/* (feature, run) columns of a node to (feature, K vectors) and back; lanes without a run are zero. */
INLINE void NAME(load)(const int K, int64_t d, int64_t runs, int64_t used, const double *from, vec *to)
{
    for (int64_t j = 0; j < d; j++, from += runs)
        for (int k = 0; k < K; k++)
            if (4 * k + 4 <= used) memcpy(to + j * K + k, from + 4 * k, 32);
            else
                for (int lane = 0; lane < 4; lane++) to[j * K + k][lane] = 4 * k + lane < used ? from[4 * k + lane] : 0.0;
}

INLINE void NAME(store)(const int K, int64_t d, int64_t runs, int64_t used, const vec *from, double *to)
{
    for (int64_t j = 0; j < d; j++, to += runs)
        for (int k = 0; k < K; k++)
            if (4 * k + 4 <= used) memcpy(to + 4 * k, from + j * K + k, 32);
            else
                for (int lane = 0; 4 * k + lane < used; lane++) to[4 * k + lane] = from[j * K + k][lane];
}

/* A small node's offset and, for the pulls that the last solve ended with, its margins. */
INLINE void NAME(begin_small)(const int K, const struct task *task, int64_t node, int64_t run, int64_t used, vec *offset,
                              vec *point, vec *work)
{
    const int64_t d = task->dimension, runs = task->runs, size = task->core;
    const double scale = -1.0 / task->curvature[node];
    vec *pull = point + size * K;
    NAME(load)(K, d, runs, used, task->linear + node * d * runs + run, work);
    NAME(gather)(K, task->data + node, 0, size, work, NULL, offset);
    NAME(load)(K, size, runs, used, task->slope + node * size * runs + run, pull);
    CALL(multiply, K, size, task->gram + node * size * size, pull, work);
    for (int64_t i = 0; i < size * K; i++) {
        offset[i] *= scale;
        point[i] = offset[i] + scale * work[i];
    }
}

/* f = −(linear + Xᵀu)/q from the pulls that a small node's runs ended with. */
INLINE void NAME(recover)(const int K, const struct task *task, int64_t node, int64_t run, int64_t used, vec *point,
                          vec *pull)
{
    const int64_t d = task->dimension, runs = task->runs, size = task->core, corner = node * d * runs + run;
    const double scale = -1.0 / task->curvature[node];
    NAME(load)(K, size, runs, used, task->slope + node * size * runs + run, pull);
    NAME(load)(K, d, runs, used, task->linear + corner, point);
    NAME(scatter)(K, task->data + node, 0, size, pull, point, NULL);
    for (int64_t j = 0; j < d * K; j++) point[j] *= scale;
    NAME(store)(K, d, runs, used, point, task->point + corner);
}
