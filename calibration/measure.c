/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What is measured, in which order, until when. */
#define _POSIX_C_SOURCE 200809L
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The root's state. */
struct session {
  struct options options;
  struct plan plan;
  struct samples *file;
  double began, spoke;
};

static double spent(const struct session *s) { return MPI_Wtime() - s->began; }

static void say(struct session *s, int force) {
  int measured = 0, sure = 0;
  if (s->options.quiet || (!force && MPI_Wtime() - s->spoke < 2))
    return;
  s->spoke = MPI_Wtime();
  for (int i = 0; i < s->plan.count; ++i) {
    measured += s->plan.points[i].repetitions > 0;
    sure += uncertainty(&s->plan.points[i]) <= s->options.precision;
  }
  fprintf(stderr, "measure: %.0f of %.0f s: %d of %d points measured, %d within %g %%\n", spent(s),
          s->options.budget, measured, s->plan.count, sure, 100 * s->options.precision);
}

/* The slowest participant's time of one message in repetition r. */
static double slowest(const struct sample *samples, int participants, long r) {
  double most = 0;
  for (int p = 0; p < participants; ++p) {
    const struct sample *sample = &samples[r * participants + p];
    const double each = sample->count[0] >= 1 ? sample->seconds[0] / sample->count[0] : 0;
    most = each > most ? each : most;
  }
  return most;
}

/* Latency and seconds per byte, roughly: sizes grow until one takes a percent of the budget. */
static void look(struct session *s, int node) {
  struct group *group = &groups[node];
  struct order order = {.kind = Measure, .experiment = 0, .node = node, .rounds = 1};
  order.repetitions = 2;
  order.warm = 1;
  group->latencySeconds = 1e30;
  for (double bytes = 1;; bytes *= 4) {
    order.bytes = bytes < (double)s->options.most ? (long)bytes : s->options.most;
    struct sample *samples = give(order);
    const double first = slowest(samples, 2, 0), second = slowest(samples, 2, 1);
    const double each = first < second ? first : second;
    free(samples);
    if (order.bytes <= 64 && each < group->latencySeconds)
      group->latencySeconds = each;
    group->secondsPerByte = (each - group->latencySeconds) / (double)order.bytes;
    if (order.bytes == s->options.most || each > s->options.budget / 100)
      break;
  }
  if (group->secondsPerByte < 0)
    group->secondsPerByte = 0;
}

/* Half of the budget is for the least number of repetitions of all points, with what finds out their
 * rounds and warms up: log-uniform sizes up to one that takes t take t / ln(most / least) in the
 * mean. */
static void allot(struct session *s) {
  const struct options *o = &s->options;
  const double range = log((double)o->most / (double)o->least + 1.0);
  const int points = countPoints(o);
  const int blocks = (LeastRepetitions + 2) * (points > 0 ? points : 1);
  s->plan.blockSeconds = o->budget / 2 * range / blocks;
  s->plan.streamSeconds = o->budget / 3000 < 0.2 ? o->budget / 3000 : 0.2;
}

static struct order orderOf(const struct point *point, long rounds, long repetitions, int warm) {
  return (struct order){.kind = Measure,
                        .experiment = point->experiment,
                        .node = point->node,
                        .width = point->width,
                        .bytes = point->bytes,
                        .rounds = rounds,
                        .repetitions = repetitions,
                        .warm = warm};
}

/* Writes samples and takes them into the point; frees them. */
static int keep(struct session *s, struct point *point, const struct order *order,
                struct sample *samples) {
  const int first = point->repetitions;
  for (long r = 0; r < order->repetitions; ++r)
    addTime(point, first + (int)r, slowest(samples, widths[point->width], r));
  const int good = writeSamples(s->file, order, samples, first);
  free(samples);
  return good;
}

/* How long a block should last at least. */
static double neededSeconds(const struct session *s, const struct point *point) {
  const struct experiment *e = &experiments[point->experiment];
  const double barriers = 4 * groups[point->node].barrierSeconds[point->width];
  double needed = 200 * MPI_Wtick();
  if (100 * clockSeconds > needed)
    needed = 100 * clockSeconds;
  if (e->fromBarrier && barriers > needed)
    needed = barriers;
  if (e->repeat == UntilVeryLong && s->plan.streamSeconds > needed)
    needed = s->plan.streamSeconds;
  return needed;
}

/* Tries the fewest rounds. Where these suffice, the try is the first repetition. */
static int findRounds(struct session *s, struct point *point) {
  const struct experiment *e = &experiments[point->experiment];
  const long fewest = fewestRounds(e, point->bytes);
  const struct order order = orderOf(point, fewest, 1, 1);
  struct sample *samples = give(order);
  double took = 0;
  for (int p = 0; p < widths[point->width]; ++p)
    took = samples[p].seconds[0] > took ? samples[p].seconds[0] : took;
  took = took > 1e-9 ? took : 1e-9;
  double times = e->repeat == Once ? 1 : ceil(neededSeconds(s, point) / took);
  times = times < 1 ? 1 : times > 10000 ? 10000 : times;
  point->rounds = fewest * (long)times;
  const long most = mostRounds(point->bytes, widths[point->width]);
  if (e->serial[1] > 0 && point->rounds > most)
    point->rounds = most < 1 ? 1 : most;
  point->blockSeconds = took * (double)point->rounds / (double)fewest;
  if (point->rounds == fewest)
    return keep(s, point, &order, samples);
  free(samples);
  return 1;
}

/* Some repetitions more of a point: first enough for a median, then for its interval, then twice as
 * many. No visit takes longer than a twentieth of the budget. */
static int visit(struct session *s, struct point *point) {
  if (point->rounds == 0 && !findRounds(s, point))
    return 0;
  const int first = point->repetitions;
  long repetitions = first < FewRepetitions     ? FewRepetitions - first
                     : first < LeastRepetitions ? LeastRepetitions - first
                                                : first;
  const double most = s->options.budget / 20 / point->blockSeconds;
  if ((double)repetitions > most)
    repetitions = most < 1 ? 1 : (long)most;
  if (repetitions > MostRepetitions - first)
    repetitions = MostRepetitions - first;
  static const double longEnough = 0.02; /* not to feel what was before */
  const struct order order =
      orderOf(point, point->rounds, repetitions, point->blockSeconds < longEnough);
  const int good = repetitions <= 0 || keep(s, point, &order, give(order));
  say(s, 0);
  return good;
}

/* All points in a random order, then those that need more, until none does or time is over. */
static enum exit_code measureAll(struct session *s) {
  int *order = allocated((size_t)s->plan.count * sizeof *order), visited = 1;
  for (int pass = 0; visited > 0; ++pass) {
    visited = 0;
    shuffled(order, s->plan.count, s->options.seed, pass);
    for (int i = 0; i < s->plan.count && spent(s) < s->options.budget; ++i) {
      struct point *point = &s->plan.points[order[i]];
      if (uncertainty(point) <= s->options.precision || point->repetitions >= MostRepetitions)
        continue;
      if (!visit(s, point))
        return NoOutput;
      ++visited;
    }
  }
  free(order);
  int missing = 0, sure = 0;
  for (int i = 0; i < s->plan.count; ++i) {
    missing += s->plan.points[i].repetitions < FewRepetitions;
    sure += uncertainty(&s->plan.points[i]) <= s->options.precision;
  }
  say(s, 1);
  char text[128];
  snprintf(text, sizeof text, "%d of %d points within %g %%", sure, s->plan.count,
           100 * s->options.precision);
  if (missing == 0)
    return writeComplete(s->file, text) ? Success : NoOutput;
  fprintf(stderr,
          "measure: the budget is spent and %d of %d points have not been measured enough; "
          "--resume goes on\n",
          missing, s->plan.count);
  return NotFinished;
}

/* What one barrier takes; blocks that begin at one have to last longer. */
static void timeBarriers(void) {
  int barrier = 0;
  while (strcmp(experiments[barrier].name, "barrier") != 0)
    ++barrier;
  for (int node = 0; node < Nodes; ++node)
    for (int w = 0; w < Widths && widths[w] <= groups[node].size; ++w) {
      const struct point point = {.experiment = barrier, .node = node, .width = w};
      struct sample *samples = give(orderOf(&point, 10, 2, 1));
      groups[node].barrierSeconds[w] = slowest(samples, widths[w], 1);
      free(samples);
    }
}

/* The receiver of a probe waits four times as long as a message takes, so larger ones than this are
 * not asked for. */
static long largestProbe(const struct session *s, const struct group *group) {
  const double most = s->options.budget / 100 / (group->secondsPerByte + 1e-15);
  return most < (double)s->options.most ? (long)most + 1 : s->options.most;
}

static int findLimits(struct session *s, int node) {
  for (int limit = 0; limit < Limits; ++limit) {
    if (groups[node].size == 0 || s->plan.limits[node][limit] != Unknown)
      continue;
    const long most = largestProbe(s, &groups[node]),
               bytes = findLimit(s->file, (enum node)node, (enum limit)limit, most,
                                 s->began + s->options.budget / 4);
    s->plan.limits[node][limit] = bytes;
    if (!writeLimit(s->file, (enum node)node, (enum limit)limit, bytes, most))
      return 0;
  }
  return 1;
}

static enum exit_code lead(struct session *s) {
  s->began = MPI_Wtime();
  timeBarriers();
  if (!isResumed(s->file)) {
    for (int node = 0; node < Nodes; ++node)
      if (groups[node].size > 0)
        look(s, node);
    allot(s);
    if (!writeHeader(s->file, &s->options, &s->plan))
      return NoOutput;
  }
  if (!findLimits(s, Inter) || !findLimits(s, Intra))
    return NoOutput;
  makePoints(&s->plan, &s->options);
  if (isResumed(s->file))
    readBack(s->file, &s->plan);
  const enum exit_code code = measureAll(s);
  return closeSamples(s->file) ? code : NoOutput;
}

static enum exit_code run(int rank, int argc, char **argv) {
  struct session session = {0};
  const char *wrong = readOptions(argc, argv, &session.options);
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (!wrong && size < 2)
    wrong = "one rank has nobody to talk to: start two at least";
  if (wrong) {
    if (rank == 0)
      fprintf(stderr, "measure: error: %s\n", wrong);
    return BadInput;
  }
  makeGroups();
  char *facts = gatherFacts();
  enum exit_code code = Success;
  if (rank == 0)
    session.file = openSamples(&session.options, &session.plan, facts, argc, argv, &code);
  long start[2] = {code, session.options.most};
  MPI_Bcast(start, 2, MPI_LONG, 0, MPI_COMM_WORLD);
  if (start[0] != Success)
    return (enum exit_code)start[0];
  makeBuffers(start[1]);
  if (rank != 0) {
    obey();
    freeGroups();
    return Success;
  }
  code = lead(&session);
  give((struct order){.kind = Stop});
  freeGroups();
  return code;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
      return fputs(usage, stdout) < 0 || fflush(stdout) != 0 ? NoOutput : Success;
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const enum exit_code code = run(rank, argc, argv);
  MPI_Finalize();
  /* A launcher that sees a rank end with a nonzero code may end the others. Only the root does, and
   * when the others have ended. */
  if (rank == 0 && code != Success)
    nanosleep(&(struct timespec){0, 300000000}, NULL);
  return rank == 0 ? (int)code : 0;
}
