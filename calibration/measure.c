/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The command line, and what is measured in which order until when. */
#define _POSIX_C_SOURCE 200809L
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char usage[] =
    "mpirun -n RANKS measure [OPTIONS]: measure this machine's network and MPI library\n"
    "\n"
    "Start it with two ranks at least: one on each of several hosts, or several on each. Paths\n"
    "between hosts and within a host are measured when the ranks lie so that they can be.\n"
    "\n"
    "  -o, --output FILE     raw samples [gnomon-calibration.csv]\n"
    "  --budget SECONDS      how long to measure, about [300]\n"
    "  --precision SHARE     a size is measured until the 95 % interval of its median is narrower\n"
    "                        than plus and minus this share of it [0.05]\n"
    "  --min BYTES           smallest message [1]\n"
    "  --max BYTES           largest message, such as 4M [4M]; it takes 32 times the memory a "
    "rank\n"
    "  --sizes N             sizes of a ping-pong; other experiments have fewer [40]\n"
    "  --seed N              of the random sizes and orders [1]\n"
    "  --experiments A,B,…   only these; see calibration-format.md\n"
    "  --resume              go on with FILE, for another budget\n"
    "  --force               replace FILE\n"
    "  -q, --quiet           no progress on stderr\n"
    "  -h, --help            this page\n"
    "\n"
    "Exit codes: 0 measured; 2 a bad command line or file; 3 some sizes are not measured yet (go "
    "on\n"
    "with --resume); 74 the file cannot be written.\n";

/* 4M, 64k, 1000; powers of 1024. Negative: no number. */
static double number(const char *text) {
  char *end;
  double value = strtod(text, &end);
  const char *suffixes = "kMG", *suffix = *end ? strchr(suffixes, *end) : NULL;
  for (long i = suffix ? suffix - suffixes + 1 : 0; i > 0; --i)
    value *= 1024;
  end += suffix != NULL;
  return end == text || *end || !(value >= 0 && value < 1e15) ? -1 : value;
}

struct spelling {
  const char *name, *shorter;
  double *value; /* NULL: a text or a switch */
  const char **text;
  int *isOn;
  double least, most;
};

/* NULL, or what is wrong with the command line. */
static const char *parse(int argc, char **argv, const struct spelling *spellings, int count) {
  static char message[256];
  for (int i = 1; i < argc; ++i) {
    const struct spelling *s = spellings;
    while (s < spellings + count && strcmp(argv[i], s->name) != 0 &&
           strcmp(argv[i], s->shorter) != 0)
      ++s;
    snprintf(message, sizeof message, "unknown argument '%.80s'; see --help", argv[i]);
    if (s == spellings + count)
      return message;
    if (s->isOn) {
      *s->isOn = 1;
      continue;
    }
    snprintf(message, sizeof message, "'%s' needs a value", s->name);
    if (++i == argc)
      return message;
    if (s->text)
      *s->text = argv[i];
    else if ((*s->value = number(argv[i])) < s->least || *s->value > s->most) {
      snprintf(message, sizeof message, "%s: '%.80s' is no number from %g to %g", s->name, argv[i],
               s->least, s->most);
      return message;
    }
  }
  return NULL;
}

static const char *unknownExperiment(const char *names) {
  static char name[64];
  while (names && *names) {
    const size_t length = strcspn(names, ",");
    snprintf(name, sizeof name, "%.*s", (int)length, names);
    int i = 0;
    while (i < experimentCount && strcmp(experiments[i].name, name) != 0)
      ++i;
    if (i == experimentCount)
      return name;
    names += length + (names[length] == ',');
  }
  return NULL;
}

static const char *readOptions(int argc, char **argv, struct options *o) {
  double budget = 300, precision = 0.05, least = 1, most = 4 << 20, sizes = 40, seed = 1;
  *o = (struct options){.output = "gnomon-calibration.csv"};
  const struct spelling spellings[] = {
      {"--output", "-o", NULL, &o->output, NULL, 0, 0},
      {"--experiments", "", NULL, &o->experiments, NULL, 0, 0},
      {"--budget", "", &budget, NULL, NULL, 0.001, 1e7},
      {"--precision", "", &precision, NULL, NULL, 1e-4, 1},
      {"--min", "", &least, NULL, NULL, 1, (double)MostBytes},
      {"--max", "", &most, NULL, NULL, 1, (double)MostBytes},
      {"--sizes", "", &sizes, NULL, NULL, 2, 1e6},
      {"--seed", "", &seed, NULL, NULL, 0, 1e15},
      {"--resume", "", NULL, NULL, &o->resume, 0, 0},
      {"--force", "", NULL, NULL, &o->force, 0, 0},
      {"--quiet", "-q", NULL, NULL, &o->quiet, 0, 0},
  };
  const char *wrong = parse(argc, argv, spellings, (int)(sizeof spellings / sizeof *spellings));
  static char message[128];
  const char *name = unknownExperiment(o->experiments);
  o->budget = budget;
  o->precision = precision;
  o->least = (long)least;
  o->most = (long)most;
  o->sizes = (int)sizes;
  o->seed = (unsigned long)seed;
  if (!wrong && name) {
    snprintf(message, sizeof message, "--experiments: there is no '%s'", name);
    wrong = message;
  }
  if (!wrong && least > most)
    wrong = "--min is more than --max";
  return wrong;
}

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
  const struct order order = orderOf(point, e->rounds, 1, 1);
  struct sample *samples = give(order);
  double took = 0;
  for (int p = 0; p < widths[point->width]; ++p)
    took = samples[p].seconds[0] > took ? samples[p].seconds[0] : took;
  took = took > 1e-9 ? took : 1e-9;
  double times = e->repeat == Once ? 1 : ceil(neededSeconds(s, point) / took);
  times = times < 1 ? 1 : times > 10000 ? 10000 : times;
  point->rounds = e->rounds * (long)times;
  const long most = mostRounds(point->bytes, widths[point->width]);
  if (e->serial[1] > 0 && point->rounds > most)
    point->rounds = most < 1 ? 1 : most;
  point->blockSeconds = took * (double)point->rounds / (double)e->rounds;
  if (point->rounds == e->rounds)
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
               bytes = findLimit(s->file, (enum node)node, (enum limit)limit, most);
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
    return Success;
  }
  code = lead(&session);
  give((struct order){.kind = Stop});
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
