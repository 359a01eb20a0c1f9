/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The file of raw samples (calibration-format.md). What belongs together is written at once, so
 * that a run that was killed leaves whole repetitions, but perhaps for the last, which a later run
 * drops and measures again. */
#define _POSIX_C_SOURCE 200809L
#include "measure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char header[] = "experiment,ranks,node,bytes,repetition,count,seconds,rank";
static const char magic[] = "# gnomon-calibration: 1\n";

struct samples {
  const char *path;
  FILE *file;
  char *text, *facts; /* text: what an earlier run wrote */
  char *arguments;
};

static int failed(const struct samples *s, const char *what) {
  fprintf(stderr, "measure: error: %s: cannot be %s: %s\n", s->path, what, strerror(errno));
  return 0;
}

/* The value of the last line "# key: value", in memory of its own; NULL where there is none. */
static char *valueOf(const char *text, const char *key) {
  char *value = NULL;
  const size_t length = strlen(key);
  for (const char *line = text; line && *line; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (strncmp(line, "# ", 2) == 0 && strncmp(line + 2, key, length) == 0 &&
        strncmp(line + 2 + length, ": ", 2) == 0) {
      const char *from = line + 4 + length;
      free(value);
      value = strndup(from, strcspn(from, "\n"));
    }
  }
  return value;
}

static int readDoubles(const char *text, const char *key, double *first, double *second) {
  char *value = valueOf(text, key), *end = value;
  if (!value)
    return 0;
  *first = strtod(value, &end);
  int good = end != value;
  if (second) {
    const char *rest = end;
    *second = strtod(rest, &end);
    good = good && end != rest;
  }
  free(value);
  return good;
}

/* What another machine or layout would make different. */
static int isSameMachine(const struct samples *s) {
  static const char *const keys[] = {"mpi", "ranks", "hosts"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
    char *before = valueOf(s->text, keys[i]), *now = valueOf(s->facts, keys[i]);
    const int same = before && now && strcmp(before, now) == 0;
    if (!same)
      fprintf(stderr,
              "measure: error: %s: '%s' was '%.80s' there and is '%.80s' now; measure into "
              "another file\n",
              s->path, keys[i], before ? before : "", now ? now : "");
    free(before);
    free(now);
    if (!same)
      return 0;
  }
  return 1;
}

/* Options and plan as the file says: it goes on with the points that it began with. */
static int takeOver(const struct samples *s, struct options *options, struct plan *plan) {
  double least, most, sizes, seed;
  int good = readDoubles(s->text, "min-bytes", &least, NULL) &&
             readDoubles(s->text, "max-bytes", &most, NULL) &&
             readDoubles(s->text, "plan-sizes", &sizes, NULL) &&
             readDoubles(s->text, "seed", &seed, NULL) &&
             readDoubles(s->text, "precision", &options->precision, NULL) &&
             readDoubles(s->text, "plan-seconds", &plan->blockSeconds, &plan->streamSeconds);
  for (int node = 0; good && node < Nodes; ++node) {
    char key[64];
    snprintf(key, sizeof key, "plan-network-%s", nodeNames[node]);
    good = groups[node].size == 0 ||
           readDoubles(s->text, key, &groups[node].latencySeconds, &groups[node].secondsPerByte);
  }
  good = good && least >= 1 && most >= least && most <= MostBytes && sizes >= 2 && sizes <= 1e6 &&
         seed >= 0 && seed < 1e15;
  if (!good) {
    fprintf(stderr, "measure: error: %s: the head of the file is damaged; --force measures anew\n",
            s->path);
    return 0;
  }
  options->least = (long)least;
  options->most = (long)most;
  options->sizes = (int)sizes;
  options->seed = (unsigned long)seed;
  options->experiments = valueOf(s->text, "plan-experiments");
  return 1;
}

static long limitOf(const struct samples *s, int node, int limit, long most) {
  char key[64];
  snprintf(key, sizeof key, "%s-limit-%s", limitNames[limit], nodeNames[node]);
  char *value = valueOf(s->text, key);
  const long bytes = !value                          ? Unknown
                     : strcmp(value, "none") == 0    ? most
                     : strcmp(value, "unclear") == 0 ? Unclear
                                                     : atol(value);
  free(value);
  return bytes;
}

/* Whether two samples belong to one repetition: all fields between the first and the count. */
static int isSameRepetition(const char *a, const char *b) {
  const char *x = strchr(a, ','), *y = strchr(b, ',');
  for (int commas = 0; x && y && *x == *y && *x != '\n'; ++x, ++y)
    if (*x == ',' && ++commas == 5)
      return 1;
  return 0;
}

static char *lastLine(char *text, char *end) {
  char *line = end - 1; /* the line feed that ends it */
  while (line > text && line[-1] != '\n')
    --line;
  return line;
}

/* Where the next line belongs: after what is whole. */
static char *endOfWhole(const struct samples *s, char *body, const struct plan *plan) {
  char *end = strrchr(s->text, '\n') + 1;
  int isPlanned = 1;
  for (int node = 0; node < Nodes; ++node)
    for (int limit = 0; limit < Limits; ++limit)
      isPlanned &= groups[node].size == 0 || plan->limits[node][limit] != Unknown;
  if (!isPlanned) { /* a limit is searched anew, after the last that is known */
    while (end > body && lastLine(s->text, end)[0] != '#')
      end = lastLine(s->text, end);
    return end;
  }
  char *last = lastLine(s->text, end);
  if (last < body || *last == '#')
    return end;
  while (end > body && isSameRepetition(lastLine(s->text, end), last))
    end = lastLine(s->text, end);
  return end;
}

/* The whole file; NULL where there is none. */
static char *contents(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file)
    return NULL;
  size_t size = 0, room = 1 << 20;
  char *text = allocated(room);
  for (size_t got; (got = fread(text + size, 1, room - size - 1, file)) > 0;) {
    size += got;
    if (room - size < 2)
      text = allocatedAgain(text, room *= 2);
  }
  text[size] = 0;
  fclose(file);
  return text;
}

static enum exit_code goOn(struct samples *s, struct options *options, struct plan *plan) {
  char *body = strstr(s->text, header);
  if (strncmp(s->text, magic, sizeof magic - 1) != 0 || !body || !strchr(body, '\n')) {
    fprintf(stderr, "measure: error: %s: is not a file of samples of this version\n", s->path);
    return BadInput;
  }
  if (!isSameMachine(s) || !takeOver(s, options, plan))
    return BadInput;
  for (int node = 0; node < Nodes; ++node)
    for (int limit = 0; limit < Limits; ++limit)
      plan->limits[node][limit] = limitOf(s, node, limit, options->most);
  char *end = endOfWhole(s, strchr(body, '\n') + 1, plan);
  *end = 0;
  if (truncate(s->path, end - s->text) != 0 || !(s->file = fopen(s->path, "a"))) {
    failed(s, "written");
    return NoOutput;
  }
  setvbuf(s->file, NULL, _IOFBF, 1 << 20);
  return Success;
}

struct samples *openSamples(struct options *options, struct plan *plan, char *facts, int argc,
                            char **argv, enum exit_code *code) {
  struct samples *s = allocated(sizeof *s);
  *s = (struct samples){.path = options->output, .facts = facts, .text = contents(options->output)};
  size_t bytes;
  FILE *arguments = open_memstream(&s->arguments, &bytes);
  for (int i = 1; i < argc; ++i)
    fprintf(arguments, " %s", argv[i]);
  fclose(arguments);
  for (char *at = s->arguments; *at; ++at)
    *at = (unsigned char)*at < ' ' ? ' ' : *at;
  for (int node = 0; node < Nodes; ++node)
    for (int limit = 0; limit < Limits; ++limit)
      plan->limits[node][limit] = Unknown;
  *code = Success;
  if (s->text && options->resume && s->text[0]) {
    *code = goOn(s, options, plan);
  } else if (s->text && !options->resume && !options->force) {
    fprintf(stderr,
            "measure: error: %s: is there already; --resume goes on with it, --force "
            "measures anew\n",
            s->path);
    *code = BadInput;
  }
  if (!s->file) {
    free(s->text);
    s->text = NULL;
  }
  return s;
}

int isResumed(const struct samples *s) { return s->text != NULL; }

static void writeKeys(FILE *to, const struct samples *s, const struct options *options,
                      const struct plan *plan) {
  char date[64];
  const time_t now = time(NULL);
  strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
  fprintf(to, "%s# date: %s\n# arguments:%s\n# seed: %lu\n%s", magic, date, s->arguments,
          options->seed, s->facts);
  fprintf(to, "# min-bytes: %ld\n# max-bytes: %ld\n# precision: %g\n# window-bytes: %ld\n",
          options->least, options->most, options->precision, windowBytes());
  fprintf(to, "# plan-sizes: %d\n# plan-seconds: %.9g %.9g\n", options->sizes, plan->blockSeconds,
          plan->streamSeconds);
  if (options->experiments)
    fprintf(to, "# plan-experiments: %s\n", options->experiments);
  for (int node = 0; node < Nodes; ++node)
    if (groups[node].size > 0)
      fprintf(to, "# plan-network-%s: %.9g %.9g\n", nodeNames[node], groups[node].latencySeconds,
              groups[node].secondsPerByte);
  fprintf(to, "%s\n", header);
}

/* Beside the file first: there is never a file with half a head. */
int writeHeader(struct samples *s, const struct options *options, const struct plan *plan) {
  char *path = allocated(strlen(s->path) + sizeof ".new");
  sprintf(path, "%s.new", s->path);
  FILE *to = fopen(path, "w");
  int good = to != NULL;
  if (good) {
    writeKeys(to, s, options, plan);
    good = !ferror(to);
    good = fclose(to) == 0 && good && rename(path, s->path) == 0;
  }
  free(path);
  if (!good || !(s->file = fopen(s->path, "a")))
    return failed(s, "written");
  setvbuf(s->file, NULL, _IOFBF, 1 << 20);
  return 1;
}

void readBack(struct samples *s, struct plan *plan) {
  char experiment[64], node[16];
  int ranks, repetition, rank;
  long bytes;
  double count, seconds;
  for (const char *line = strstr(s->text, header); line; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (sscanf(line, "%63[^,\n],%d,%15[^,\n],%ld,%d,%lf,%lf,%d", experiment, &ranks, node, &bytes,
               &repetition, &count, &seconds, &rank) != 8)
      continue;
    struct point *point = findPoint(plan, experiment, ranks, node, bytes);
    if (point && count >= 1 && repetition >= 0 && repetition < 100 * MostRepetitions)
      addTime(point, repetition, seconds / count);
  }
}

static int written(struct samples *s) {
  return fflush(s->file) == 0 && !ferror(s->file) ? 1 : failed(s, "written");
}

static void writeLine(FILE *to, const char *name, const struct order *order, int repetition,
                      double count, double seconds, int participant) {
  fprintf(to, "%s,%d,%s,%ld,%d,%.0f,%.9g,%d\n", name, widths[order->width], nodeNames[order->node],
          order->bytes, repetition, count, seconds, groups[order->node].ranks[participant]);
}

int writeSamples(struct samples *s, const struct order *order, const struct sample *samples,
                 int firstRepetition) {
  const struct experiment *e = &experiments[order->experiment];
  const int participants = widths[order->width];
  for (long r = 0; r < order->repetitions; ++r)
    for (int p = 0; p < participants; ++p)
      for (int end = 0; end < 2; ++end) {
        const struct sample *sample = &samples[r * participants + p];
        if (sample->seconds[end] >= 0 && sample->count[end] >= 1)
          writeLine(s->file, end == 0 ? e->name : e->second, order, firstRepetition + (int)r,
                    sample->count[end], sample->seconds[end], p);
      }
  return written(s);
}

int writeProbe(struct samples *s, const struct order *order, int repetition,
               const struct sample samples[2]) {
  char name[64];
  snprintf(name, sizeof name, "%s-probe", limitNames[order->rounds]);
  writeLine(s->file, name, order, repetition, 1, samples[0].seconds[0], 0);
  snprintf(name, sizeof name, "%s-delay", limitNames[order->rounds]);
  writeLine(s->file, name, order, repetition, 1, samples[1].seconds[1], 1);
  return written(s);
}

int writeLimit(struct samples *s, enum node node, enum limit limit, long bytes, long most) {
  fprintf(s->file, "# %s-limit-%s: ", limitNames[limit], nodeNames[node]);
  if (bytes == Unclear)
    fprintf(s->file, "unclear\n");
  else if (bytes >= most)
    fprintf(s->file, "none\n");
  else
    fprintf(s->file, "%ld\n", bytes);
  return written(s);
}

int writeComplete(struct samples *s, const char *text) {
  fprintf(s->file, "# complete: %s\n", text);
  return written(s);
}

int closeSamples(struct samples *s) {
  return !s->file || fclose(s->file) == 0 ? 1 : failed(s, "written");
}
