/* The dynamic program that over-estimates the removal curve (docs/proofs.md, Lemma 5), for many gamma at once, and, at the
   end, what chains two curves.

   Backward over cells of u. have[j] is the value with the path in level j and the level's prize still to be had,
   spent[j] with the prize collected. For the rates' spread in a level a path gets a toll on entering it, if the level
   pays in parts only; while it stays, what the next cell is worth more, and the toll where it begins to pay in parts. The
   inner loops run over levels, so that compilers vectorise them. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The loops over levels in wider registers where the CPU has them: the same operations, so the same bits. */
#if defined(__GNUC__) && defined(__x86_64__) && defined(__gnu_linux__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

static double fall(double u, double radius)
{
    if (radius == 0)
        return fabs(u);
    return radius < 0 ? u * u / 2 : u * u / (sqrt(radius * radius + u * u) + radius);
}

static double max2(double a, double b) { return a > b ? a : b; }
static double min2(double a, double b) { return a < b ? a : b; }

struct cell {
    double *restrict prize_rise; /* time * density * gain * ratio */
    double *restrict prize_all;  /* time * density * (1 + gain) * ratio */
    double *restrict prize_more; /* time * density * spread * ratio */
    double *restrict top;        /* most * ratio: no prize unless above gamma */
    double *restrict bottom;     /* least * ratio: a prize for all of the level if above gamma */
    double *restrict first;      /* ratio at the cell's left end for the flat reward, times its weight */
    double *restrict second;     /* at its right end */
};

/* One cell and one gamma: prizes and flat rewards of all levels, then the two values; `next` is the cell to the right. */
WIDE static void advance(long levels, const struct cell *cell, const struct cell *next, double gamma, double density,
                         double w0, double w1, double *restrict have, double *restrict spent, double *restrict prize,
                         double *restrict on, double *restrict toll)
{
    const double floor_prize = gamma * density, g0 = gamma * w0, g1 = gamma * w1;
    const double *restrict rise = cell->prize_rise, *restrict all = cell->prize_all;
    const double *restrict more = cell->prize_more, *restrict top = cell->top, *restrict bottom = cell->bottom;
    const double *restrict more_next = next->prize_more, *restrict top_next = next->top;
    const double *restrict bottom_next = next->bottom;
    const double *restrict first = cell->first, *restrict second = cell->second;
    for (long j = 0; j < levels; j++) {
        double e = max2(0, min2(rise[j], all[j] - floor_prize));
        double here = more[j], grown = more_next[j] - here, whole = bottom[j], whole_next = bottom_next[j];
        double begins = whole_next < gamma ? here : 0.0; /* one condition a line: so compilers see no branches */
        begins = whole < gamma ? 0.0 : begins;
        double stay = top_next[j] > gamma ? grown + begins : 0.0;
        stay = grown > 0 ? stay : 0.0;
        double entry = whole < gamma ? here : 0.0;
        double a = max2(0, first[j] - g0) + max2(0, second[j] - g1) + stay;
        prize[j] = e;
        toll[j] = top[j] > gamma ? entry : 0.0;
        on[j] = a + max2(have[j], e + spent[j]);
        spent[j] = a + spent[j];
    }
    for (long j = 0; j + 1 < levels; j++) {
        double entered = on[j + 1] + toll[j + 1];
        have[j] = max2(on[j], prize[j] + entered);
        spent[j] = max2(spent[j], entered);
    }
    have[levels - 1] = on[levels - 1];
}

static void prepare(long levels, const struct cell *cell, double u, double length, double shift, double radius,
                    double bend, double density, double w0, double w1, const double *low, const double *high,
                    const double *gain, const double *least, const double *most, const double *spread, double *best)
{
    const double here = fall(u, radius), next = fall(u + length, radius);
    *best = 0;
    for (long j = 0; j < levels; j++) {
        double near = u + shift * low[j], far = u + shift * high[j];
        double ratio = exp(here - fall(far <= 0 ? far : near >= 0 ? near : 0.0, radius));
        double scaled = density * ratio;
        cell->prize_rise[j] = scaled * gain[j];
        cell->prize_all[j] = scaled * (1 + gain[j]);
        cell->prize_more[j] = scaled * spread[j];
        cell->top[j] = ratio * most[j];
        cell->bottom[j] = ratio * least[j];
        *best = max2(*best, cell->top[j]);
        double left = u >= 0 ? 1.0 : exp(here - fall(min2(far, 0.0), radius)), right = left;
        if (far + length <= 0) { /* the chord, lifted by what the ratio may bend above it, if that is better */
            double chord = exp(next - fall(far + length, radius)), lift = left * bend;
            if (chord + 2 * lift < left) {
                left += lift;
                right = chord + lift;
            }
        }
        cell->first[j] = w0 * left;
        cell->second[j] = w1 * right;
    }
}

#ifndef SOURCE_DIGEST
#define SOURCE_DIGEST ""
#endif

const char *radmm_program_digest(void) { return SOURCE_DIGEST; }

/* result[g] = the largest value over paths; 0 on success, 1 without memory. */
int radmm_removal(long cells, long levels, long gammas, double start, double length, double shift, double radius, double bend,
            const double *density, const double *w0, const double *w1, const double *low, const double *high,
            const double *gain, const double *least, const double *most, const double *spread, const double *gamma,
            double *result)
{
    double *memory = calloc((size_t)(levels * (17 + 2 * gammas)), sizeof(double));
    if (!memory)
        return 1;
    struct cell both[2]; /* this cell and the next one, by turns; beyond the last cell nothing is to be had */
    for (int k = 0; k < 2; k++) {
        double *at = memory + 7 * k * levels;
        both[k] = (struct cell){at, at + levels, at + 2 * levels, at + 3 * levels, at + 4 * levels, at + 5 * levels,
                                at + 6 * levels};
    }
    double *prize = memory + 14 * levels, *on = memory + 15 * levels, *toll = memory + 16 * levels;
    double *values = memory + 17 * levels;
    for (long i = cells - 1; i >= 0; i--) {
        double best, scaled = density[i] * length;
        const struct cell *cell = &both[i % 2], *next = &both[(i + 1) % 2];
        prepare(levels, cell, start + i * length, length, shift, radius, bend, scaled, w0[i], w1[i], low, high, gain,
                least, most, spread, &best);
        for (long g = 0; g < gammas; g++) {
            double *have = values + 2 * g * levels;
            result[g] = 0;
            if (best <= gamma[g]) /* nor is anything further right, as ratios fall with u */
                continue;
            advance(levels, cell, next, gamma[g], scaled, w0[i], w1[i], have, have + levels, prize, on, toll);
            for (long j = 0; i == 0 && j < levels; j++)
                result[g] = max2(result[g], have[j] + toll[j]);
        }
    }
    free(memory);
    return 0;
}

/* best[j] = the least of first(g1) + g1 second(g/g1) over g1 of the grid, at g = gamma[j]: see legs.py, whose arrays these
   are. The same operations as there, so the same bits. */
WIDE void radmm_min_plus(long size, long forwards, long backwards, long behinds, const double *restrict forward,
                         const double *restrict backward, const double *restrict ahead, const double *restrict behind,
                         const double *restrict gamma, const double *restrict fallen, double *restrict best)
{
    for (long i = 0; i < forwards; i++) {
        double value = forward[i], here = gamma[i];
        for (long j = i; j < size; j++)
            best[j] = min2(best[j], value + here * ahead[j - i]);
        for (long j = i >= behinds ? i - behinds + 1 : 0; j < i; j++)
            best[j] = min2(best[j], value + (here - gamma[j]) + gamma[j] * behind[i - j]);
    }
    for (long i = 1; i < backwards; i++) {
        double value = backward[i], here = gamma[i], less = fallen[i];
        for (long j = 0; j < size; j++)
            best[j] = min2(best[j], less + (value + ahead[i + j]) / here);
    }
}

/* The lower convex hull by Andrew's monotone chain: which points are on it, and how many. */
long radmm_hull(long points, const double *x, const double *y, long *chain)
{
    long size = 0;
    for (long i = 0; i < points; i++) {
        while (size >= 2) {
            long before = chain[size - 2], last = chain[size - 1];
            if ((y[last] - y[before]) * (x[i] - x[before]) < (y[i] - y[before]) * (x[last] - x[before]))
                break;
            size--;
        }
        chain[size++] = i;
    }
    return size;
}
