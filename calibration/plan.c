/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Points to measure. Sizes are log-uniform: the logarithms of a range are cut into equal parts, and
 * one size is drawn from each, so that random sizes leave no gap. A point is measured until the
 * median of its repetitions is known well enough: the interval between two order statistics that
 * holds the median of the distribution with 95 %, whatever the distribution (binomial, normal
 * approximation: ranks n/2 -+ 0.98 sqrt(n)). */
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* SplitMix64: a counter through a mixing function, the same on every machine. */
static unsigned long long mixed(unsigned long long x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

struct randomness {
  unsigned long long state;
};

/* At least 0, less than 1. */
static double drawn(struct randomness *r) {
  r->state = mixed(r->state);
  return (double)(r->state >> 11) / 9007199254740992.0;
}

void shuffled(int *order, int count, unsigned long seed, int pass) {
  struct randomness r = {mixed(seed) + (unsigned long long)pass};
  for (int i = 0; i < count; ++i)
    order[i] = i;
  for (int i = count - 1; i > 0; --i) {
    const int j = (int)(drawn(&r) * (i + 1)), kept = order[i];
    order[i] = order[j];
    order[j] = kept;
  }
}

/* Whether names, joined by commas, has name; NULL has all. */
static int isNamed(const char *names, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = names; at && *at; at += *at == ',') {
    const char *end = strchr(at, ',') ? strchr(at, ',') : at + strlen(at);
    if ((size_t)(end - at) == length && strncmp(at, name, length) == 0)
      return 1;
    at = end;
  }
  return !names;
}

static int sizesOf(const struct experiment *e, const struct options *options) {
  const int share = (int)(e->share * options->sizes + 0.5);
  return e->range == NoSize ? 1 : share < 2 ? 2 : share;
}

static long upperEnd(const struct experiment *e, const struct plan *plan, int node, int ranks,
                     long most) {
  const struct group *group = &groups[node];
  const double serial = e->serial[0] + e->serial[1] * ranks;
  double bytes = (double)most;
  if (group->secondsPerByte > 0 && plan->blockSeconds > 0) {
    const double within =
        (plan->blockSeconds / serial - group->latencySeconds) / group->secondsPerByte;
    bytes = within < bytes ? within : bytes;
  }
  const double few = 4.0 * (double)plan->limits[node][Eager];
  if (e->range == UpToFewEager && few > 0 && bytes > few)
    bytes = few;
  return (long)bytes;
}

static void addPoint(struct plan *plan, int experiment, int node, int width, long bytes) {
  if (plan->count % 64 == 0)
    plan->points = allocatedAgain(plan->points, (size_t)(plan->count + 64) * sizeof *plan->points);
  plan->points[plan->count++] =
      (struct point){.experiment = experiment, .node = node, .width = width, .bytes = bytes};
}

static void addSizes(struct plan *plan, const struct options *options, int experiment, int node,
                     int width) {
  const struct experiment *e = &experiments[experiment];
  const int count = sizesOf(e, options);
  if (e->range == NoSize) {
    addPoint(plan, experiment, node, width, 0);
    return;
  }
  const long multiple = e->range == Doubles ? 8 : 1;
  const long least = options->least < multiple ? multiple : options->least;
  long most = upperEnd(e, plan, node, widths[width], options->most);
  most = most < least ? least : most;
  const unsigned long long place = (unsigned long long)(experiment * Nodes + node) * Widths;
  struct randomness r = {mixed(options->seed) ^ mixed(place + (unsigned long long)width)};
  long last = 0;
  for (int i = 0; i < count; ++i) {
    const double part = (i + drawn(&r)) / count;
    const double size = (double)least * pow((double)most / (double)least, part);
    const long bytes = (long)(size + 0.5) / multiple * multiple;
    if (bytes > last) /* small sizes of several parts may be the same number */
      addPoint(plan, experiment, node, width, last = bytes);
  }
}

void makePoints(struct plan *plan, const struct options *options) {
  free(plan->points);
  plan->points = NULL;
  plan->count = 0;
  for (int e = 0; e < experimentCount; ++e)
    for (int node = 0; node < Nodes; ++node)
      for (int w = 0; w < Widths; ++w)
        if (isNamed(options->experiments, experiments[e].name) && widths[w] <= groups[node].size &&
            widths[w] >= experiments[e].least && widths[w] <= experiments[e].most)
          addSizes(plan, options, e, node, w);
}

int countPoints(const struct options *options) {
  struct plan plan = {0};
  makePoints(&plan, options);
  free(plan.points);
  return plan.count;
}

struct point *findPoint(struct plan *plan, const char *experiment, int ranks, const char *node,
                        long bytes) {
  for (int i = 0; i < plan->count; ++i) {
    struct point *point = &plan->points[i];
    if (point->bytes == bytes && widths[point->width] == ranks &&
        strcmp(nodeNames[point->node], node) == 0 &&
        strcmp(experiments[point->experiment].name, experiment) == 0)
      return point;
  }
  return NULL;
}

void addTime(struct point *point, int repetition, double seconds) {
  while (repetition >= point->capacity) {
    const int old = point->capacity;
    point->capacity = old ? 2 * old : 16;
    point->times = allocatedAgain(point->times, (size_t)point->capacity * sizeof *point->times);
    for (int i = old; i < point->capacity; ++i)
      point->times[i] = 0;
  }
  if (seconds > point->times[repetition])
    point->times[repetition] = seconds;
  if (repetition >= point->repetitions)
    point->repetitions = repetition + 1;
}

static int byValue(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double uncertainty(const struct point *point) {
  const int n = point->repetitions;
  if (n < LeastRepetitions)
    return 1e9;
  double *sorted = allocated((size_t)n * sizeof *sorted);
  memcpy(sorted, point->times, (size_t)n * sizeof *sorted);
  qsort(sorted, (size_t)n, sizeof *sorted, byValue);
  int low = (int)floor(n / 2.0 - 0.98 * sqrt(n));
  low = low < 1 ? 1 : low; /* counted from 1; six samples: the least and the greatest, 97 % */
  const double from = sorted[low - 1], to = sorted[n - low], median = sorted[n / 2];
  free(sorted);
  return median > 0 ? (to - from) / 2 / median : 0;
}
