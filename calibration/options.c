/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The command line. */
#include "measure.h"

#include <stdlib.h>
#include <string.h>

const char usage[] =
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

const char *readOptions(int argc, char **argv, struct options *o) {
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
