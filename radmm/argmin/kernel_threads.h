/* Threads: each takes one node after the other, and one that finds none left helps others with pieces of their rows.

   Pieces depend on the rows alone, and their sums are added up in their order: the same bytes with any number of threads.
   What threads share is written under the lock; a node or a piece is long work, so nobody waits for it. */

/* Pieces of one node's rows that threads may work off in any order. */
struct pieces {
    void (*work)(const struct pieces *pieces, int64_t piece);
    int64_t count, next, done;
};

/* One thread, with memory to work in. */
struct worker {
    struct team *team;
    const struct task *task;
    void *room, *sums; /* sums: for those of each piece */
    struct pieces *open; /* in which others may help */
    pthread_t thread;
};

struct team {
    void (*work)(struct worker *worker, int64_t node);
    int64_t nodes, next, busy, idle, size; /* size: threads */
    const double *curvature; /* what Hessians read beside the task, */
    double *out;             /* and what curvatures and Hessians write */
    struct worker *workers;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

/* With the lock held: work off one piece, during which it is not. */
static void work_off_piece(struct team *team, struct pieces *pieces)
{
    const int64_t piece = pieces->next++;
    pthread_mutex_unlock(&team->lock);
    pieces->work(pieces, piece);
    pthread_mutex_lock(&team->lock);
    if (++pieces->done == pieces->count) pthread_cond_broadcast(&team->changed);
}

/* Work off all pieces, with the help of threads that have no node. */
static void work_off(struct worker *worker, struct pieces *pieces)
{
    struct team *team = worker->team;
    pthread_mutex_lock(&team->lock);
    worker->open = pieces;
    if (team->idle) pthread_cond_broadcast(&team->changed);
    while (pieces->next < pieces->count) work_off_piece(team, pieces);
    worker->open = NULL;
    while (pieces->done < pieces->count) pthread_cond_wait(&team->changed, &team->lock);
    pthread_mutex_unlock(&team->lock);
}

/* Pieces that another thread would be glad to be helped with; NULL if there are none. */
static struct pieces *open_pieces(const struct team *team)
{
    for (int64_t i = 0; i < team->size; i++) {
        struct pieces *pieces = team->workers[i].open;
        if (pieces && pieces->next < pieces->count) return pieces;
    }
    return NULL;
}

/* What each thread does until all nodes are done. */
static void *join_in(void *given)
{
    struct worker *worker = given;
    struct team *team = worker->team;
    pthread_mutex_lock(&team->lock);
    for (struct pieces *pieces; team->next < team->nodes || team->busy;) {
        if (team->next < team->nodes) {
            const int64_t node = team->next++;
            team->busy++;
            pthread_mutex_unlock(&team->lock);
            team->work(worker, node);
            pthread_mutex_lock(&team->lock);
            if (!--team->busy) pthread_cond_broadcast(&team->changed);
        } else if ((pieces = open_pieces(team))) work_off_piece(team, pieces);
        else {
            team->idle++;
            pthread_cond_wait(&team->changed, &team->lock);
            team->idle--;
        }
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

/* As many threads as asked for, or as many as the system gives: one alone does all the work too. */
static void start_and_join(struct team *team)
{
    int64_t started = 0;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    while (started + 1 < team->size
           && !pthread_create(&team->workers[started + 1].thread, &attributes, join_in, team->workers + started + 1))
        started++;
    join_in(team->workers);
    for (int64_t i = 1; i <= started; i++) pthread_join(team->workers[i].thread, NULL);
    pthread_attr_destroy(&attributes);
}

/* All of a task's nodes, by threads that have so many vectors of room each, and for the sums of pieces as many more;
   returns whether there was no memory for it. */
static int by_all_threads(const struct task *task, struct team team, int64_t room, int64_t sums)
{
    const int64_t lines = (room * 32 + 63) / 64, more = (sums * 32 + 63) / 64;
    const int worth_it = task->node_start[task->nodes] * task->runs >= WORTH_THREADS;
    team.nodes = task->nodes;
    team.size = !worth_it || task->threads < 1 ? 1 : task->threads < MOST_THREADS ? task->threads : MOST_THREADS;
    struct worker *workers = team.workers = calloc(team.size, sizeof *workers);
    char *memory = aligned_alloc(64, 64 * (lines + more) * team.size);
    if (workers && memory) {
        pthread_mutex_init(&team.lock, NULL);
        pthread_cond_init(&team.changed, NULL);
        for (int64_t i = 0; i < team.size; i++) {
            char *own = memory + 64 * (lines + more) * i;
            workers[i] = (struct worker){.team = &team, .task = task, .room = own, .sums = own + 64 * lines};
        }
        start_and_join(&team);
        pthread_cond_destroy(&team.changed);
        pthread_mutex_destroy(&team.lock);
    }
    free(workers);
    free(memory);
    return !workers || !memory;
}
