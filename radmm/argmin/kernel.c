/* The compiled primal solver: one call solves a data-touching step for all nodes and runs.

   It is the algorithm of lbfgs.py, node by node and up to 16 runs at a time, for the logistic loss and the Huberised
   hinge on rows y·x in compressed form, and the softmax on rows x beside their classes. Plain C without Python's headers; loaded by kernel.py. setup.py compiles it
   twice on x86-64, with and without AVX2, into libraries of their own, and kernel.py takes the one that the machine can run. */

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WIDEST 4 /* vectors of four runs that are worked off together */
#define BLOCK 64 /* rows whose margins stay in the cache between reading and writing */
#define GROUP 4
#define MOST_CLASSES 32 /* of the softmax: their scores of one block of rows stand on the stack */
#define PIECE_ROWS 8192 /* of a node, at least, in each piece that threads may share */
#define MOST_PIECES 32  /* of a node */
#define MOST_THREADS 256
#define WORTH_THREADS (1 << 17) /* rows times runs: with fewer, starting threads takes as long as they save */
#define STACK (2 << 20)         /* bytes of a thread: scores of a block of rows stand there */
#define MEMORY 8
#define MAX_HALVINGS 30
#define ARMIJO 1e-4
#define EPSILON 0x1p-52
#define TABLE (1 << 20) /* pairs of two parts' combinations, at most, that a Hessian's rows are added up by */
#define PAIRS_EACH 32 /* for each row, at most */
#define FAR 10.0 /* times the tolerance: such a gradient in a small node's margins is not checked further */
#define INLINE static inline __attribute__((always_inline))
#define NOINLINE static __attribute__((noinline))

/* The rows of one node, in a layout that depends on no other node's: so does no sum's rounding.

   Columns in which a row has its own scale or nothing, as those of categories, are told by codes: one for each part of
   these columns, which names the combination of them that the row has (combinations.py). Other columns that most rows
   have stand apart, in groups: they need no index and stay in registers. */
struct rows {
    int64_t count, groups, parts, combinations;
    const uint16_t *code;        /* (row, part) */
    const int64_t *part_start;   /* of each part's combinations */
    const double *scale;         /* of each row */
    const int64_t *member_start; /* of each combination's columns */
    const int32_t *member;
    const int64_t *start;        /* of each row's other nonzeros */
    const int32_t *column;       /* the feature */
    const double *value;
    const int32_t *dense_column; /* (group, GROUP): the features */
    const double *dense;         /* (group, row, GROUP) */
};

struct task {
    int64_t nodes, dimension, runs;
    const struct rows *data;   /* of each node */
    const int64_t *node_start; /* of each node's rows among all */
    const double *weight;      /* C/B_i */
    const double *curvature;   /* q_i */
    const double *linear;      /* (node, feature, run) */
    double *point;             /* in: where to start; out: the argmin */
    double *slope;             /* Σ L' y x at the point, known before if `known`, after in any case; of small nodes each
                                  row's pull, (node, core, run), with which to start and ended */
    double *loss;              /* Σ L, (node, run) */
    double *residual;          /* out: gradient norms, (node, run) */
    int64_t *passes;           /* out: passes over the node's rows until the run had converged, (node, run) */
    const double *matrix;      /* the approximate inverse Hessian, (node, d, d), of small nodes (node, core, core) */
    const double *ridge;       /* the q_i that it was made for, and small nodes' X Xᵀ */
    const double *gram;
    int64_t small, core, known, max_passes;
    double tolerance;
    double width; /* h of the Huberised hinge; 0 for the logistic loss */
    int64_t classes;      /* columns of f, one after the other in a point; 1 for losses of one margin */
    const int64_t *label; /* of each row, with several classes */
    int64_t threads;
};

/* Rows of f. */
static int64_t features(const struct task *task) { return task->dimension / task->classes; }

/* Half the loss's largest curvature, 1/4 or 1/(2h), as in small_nodes.py. */
static double middle_curvature(const struct task *task) { return task->width > 0.0 ? 0.25 / task->width : 0.125; }

/* As even as can be: 10 runs are 12 lanes at once, 20 are 12 and 8. */
static int64_t share_of_runs(int64_t left)
{
    const int64_t vectors = (left + 3) / 4, batches = (vectors + WIDEST - 1) / WIDEST;
    const int64_t share = 4 * ((vectors + batches - 1) / batches);
    return share < left ? share : left;
}

/* Entries of the longest vector that is worked with. */
static int64_t room_width(const struct task *task)
{
    return 2 * task->core > task->dimension ? 2 * task->core : task->dimension;
}

static int64_t larger(int64_t one, int64_t other) { return one > other ? one : other; }

/* The most rows, combinations and groups that any node has. */
static struct rows largest(const struct task *task)
{
    struct rows most = {0};
    for (const struct rows *own = task->data; own < task->data + task->nodes; own++) {
        most.count = larger(most.count, own->count);
        most.combinations = larger(most.combinations, own->combinations);
        most.groups = larger(most.groups, own->groups);
    }
    return most;
}

/* In how many pieces a node's rows are passed over, by their number alone. */
static int64_t pieces_of(int64_t rows)
{
    const int64_t count = rows / PIECE_ROWS;
    return count < 1 ? 1 : count < MOST_PIECES ? count : MOST_PIECES;
}

#include "kernel_threads.h"
#define NAME(x) x##_lanes
#include "kernel_pass.h"
#include "kernel_node.h"
#include "kernel_lanes.h"
#include "kernel_solve.h"
#include "kernel_measure.h"
#include "kernel_hessian.h"
#include "kernel_codes.h"

/* Vectors of room for a node's solve. */
static int64_t enough(const struct task *task)
{
    return ((7 + 2 * MEMORY) * room_width(task) + largest(task).combinations + MEMORY) * WIDEST;
}

/* Vectors of room for the sums of a node's pieces. */
static int64_t enough_sums(const struct task *task)
{
    const struct rows most = largest(task);
    return pieces_of(most.count) * NAME(sums_size)(WIDEST, task, &most);
}

#define FUNCTION(name) \
    int radmm_##name(const struct task *task) \
    { \
        return by_all_threads(task, (struct team){.work = NAME(name)}, enough(task), enough_sums(task)); \
    }
FUNCTION(minimise)
FUNCTION(losses)
FUNCTION(gradients)
FUNCTION(mistakes)

int radmm_curvatures(const struct task *task, double *out)
{
    return by_all_threads(task, (struct team){.work = NAME(curvatures), .out = out}, enough(task), 0);
}

int radmm_hessians(const struct task *task, const double *curvature, double *out)
{
    const struct rows most = largest(task);
    const int64_t room = (task->dimension + most.combinations) * most.groups + (TABLE + most.count) / 4 + 1;
    return by_all_threads(task, (struct team){.work = NAME(hessians), .curvature = curvature, .out = out}, room, 0);
}

#ifdef __AVX2__
const char *radmm_instruction_set(void) { return "AVX2"; }
#else
const char *radmm_instruction_set(void) { return "baseline"; }
#endif
#if defined(__x86_64__) && defined(__GNUC__)
int radmm_machine_has_avx2(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#else
int radmm_machine_has_avx2(void) { return 0; }
#endif
const char *radmm_source_digest(void) { return SOURCE_DIGEST; }
