/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A program that measures how an MPI library and its network behave, in plain MPI-3 and POSIX C,
 * without anything of Gnomon: it is copied to the machine that it measures. It writes raw samples;
 * calibration-format.md says what each one is.
 *
 *   measure.c      what is measured, in which order, until when
 *   options.c      the command line
 *   groups.c       which ranks take part, and how all of them learn what to do next
 *   experiments.c  what is timed
 *   facts.c        what the machine says of itself
 *   eager.c        the largest message that is sent without its receiver
 *   plan.c         points to measure: sizes, and how sure their medians are
 *   samples.c      the file, which a later run can go on with
 *
 * Rank 0 of MPI_COMM_WORLD decides ("the root"); the others do what its orders say. */
#ifndef GNOMON_CALIBRATION_MEASURE_H
#define GNOMON_CALIBRATION_MEASURE_H

#include <mpi.h>
#include <stdio.h>

enum exit_code { Success = 0, BadInput = 2, NotFinished = 3, NoOutput = 74 };

/* Paths between hosts, and within one. */
enum node { Inter, Intra, Nodes };
extern const char *const nodeNames[Nodes];

/* Numbers of participants; a group has those that it has enough ranks for. */
enum { Widths = 3 };
extern const int widths[Widths]; /* 2, 4, 8 */

static const long MostBytes = 1L << 30; /* of a message; counts of MPI are ints */

/* What the user asked for; seconds and bytes. */
struct options {
  const char *output, *experiments; /* experiments: names joined by commas, or NULL for all */
  double budget, precision;
  long least, most; /* sizes of messages */
  int sizes;        /* of a ping-pong; other experiments have a share of that */
  unsigned long seed;
  int resume, force, quiet;
};

/* ---- options.c ---- */

extern const char usage[];
/* NULL, or what is wrong with the command line. */
const char *readOptions(int argc, char **argv, struct options *options);

/* ---- groups.c ---- */

/* The ranks of one node kind. Communicators are MPI_COMM_NULL on ranks that do not take part. */
struct group {
  int size;                              /* 0: there is no such path on this machine */
  MPI_Comm all, first[Widths];           /* all of the group; its first 2, 4, 8 */
  int *ranks;                            /* in MPI_COMM_WORLD; at the root only */
  double barrierSeconds[Widths];         /* at the root only, as the two below */
  double latencySeconds, secondsPerByte; /* roughly: to keep blocks short enough */
};
extern struct group groups[Nodes];
extern double clockSeconds; /* what one MPI_Wtime takes, on this rank */

void makeGroups(void);
void freeGroups(void);
/* Values of all ranks of comm (number doubles each) at the root of MPI_COMM_WORLD, by rank of
 * comm. Called by the ranks of comm and by the root. */
void toRoot(MPI_Comm comm, int size, const double *mine, int number, double *all);

enum order_kind { Stop, Measure, ProbeEager };
/* What the root tells all ranks to do next. */
struct order {
  long kind, experiment, node, width, bytes, rounds, repetitions;
  long warm;           /* Measure: one repetition more, first, that is not kept */
  double delaySeconds; /* ProbeEager; rounds is then the limit that is asked for */
};

/* One rank's view of one execution. An experiment that is timed at both ends has two timings. */
struct sample {
  double seconds[2]; /* negative: not timed by this rank */
  double count[2];   /* messages */
};

/* The root's side: gives the order and returns the samples, by repetition and participant, to be
 * freed. The other ranks obey orders until they are told to stop. */
struct sample *give(struct order order);
void obey(void);

/* ---- facts.c ---- */

/* Lines "# key: value" about the machine, at the root; NULL elsewhere. Collective. */
char *gatherFacts(void);
/* Memory, or an end with a message. */
void *allocated(size_t bytes);
void *allocatedAgain(void *old, size_t bytes);

/* ---- experiments.c, eager.c ---- */

/* An execution as an experiment sees it. */
struct block {
  MPI_Comm comm;
  int me, size; /* in comm */
  long bytes, rounds;
  struct sample sample;
};

enum size_range { AllSizes, UpToFewEager, NoSize, Doubles };
enum repeat { Once, UntilLong, UntilVeryLong };

struct experiment {
  const char *name, *second; /* second: of the timing at the other end, or NULL */
  void (*run)(struct block *);
  enum size_range range;
  double share;    /* of options.sizes */
  int least, most; /* participants */
  enum repeat repeat;
  int fromBarrier;  /* its time begins at a barrier, so that the block has to outlast that */
  long rounds;      /* tried first; 0: see fewestRounds */
  double serial[2]; /* messages that follow each other in a round: serial[0] + serial[1] * ranks */
};
extern const struct experiment experiments[];
extern const int experimentCount;

void makeBuffers(long mostBytes);
long windowBytes(void);
/* What is tried first: of a stream two windows. */
long fewestRounds(const struct experiment *experiment, long bytes);
/* Most rounds of an incast for which there are buffers. */
long mostRounds(long bytes, int ranks);
/* The next piece of the buffer that messages are sent from. Pieces move through a buffer that is
 * larger than caches, so that these do not hold what is sent. */
char *nextOut(long bytes);
char *nextIn(long bytes);

enum { Tag = 1, AnswerTag = 2 };

/* Of a receiver without a receive: inside MPI, or outside of it (eager.c). */
enum limit { Eager, Absent, Limits };
extern const char *const limitNames[Limits];
enum { Unknown = -1, Unclear = -2 }; /* instead of a limit: not searched; other answers each time */

/* Collective over comm: a blocking send for which there is no receive for delaySeconds. */
struct sample probeEager(MPI_Comm comm, long bytes, double delaySeconds, enum limit limit);
struct samples;
/* The root's: the largest size that is sent without a receive; most when that is not reached. No
 * new attempt begins after MPI_Wtime() is `until`. */
long findLimit(struct samples *file, enum node node, enum limit limit, long most, double until);

/* ---- plan.c ---- */

/* An experiment with a number of ranks and a size, and what is known of it. */
struct point {
  int experiment, node, width; /* width: index of widths */
  long bytes, rounds;          /* rounds: 0 until found out */
  double blockSeconds;         /* of one repetition with that many rounds */
  int repetitions, capacity;
  double *times; /* of one message, the slowest participant's, by repetition */
};

/* What decides which points there are, beside the options; kept in the file. */
struct plan {
  double blockSeconds, streamSeconds; /* longest block, as estimated; shortest of a stream */
  long limits[Nodes][Limits];         /* Unknown: not searched yet; most: none up to there */
  int count;
  struct point *points;
};

void makePoints(struct plan *plan, const struct options *options);
/* How many points there would be without a bound on the time of a block. */
int countPoints(const struct options *options);
struct point *findPoint(struct plan *plan, const char *experiment, int ranks, const char *node,
                        long bytes);
void addTime(struct point *point, int repetition, double seconds);
/* Half the width of the 95 % interval of the median, over the median; large where there are too
 * few samples for one. */
double uncertainty(const struct point *point);
/* A random order of count numbers, different for each pass. */
void shuffled(int *order, int count, unsigned long seed, int pass);
/* For a median; for an interval of it; for a point at most. */
enum { FewRepetitions = 3, LeastRepetitions = 6, MostRepetitions = 100 };

/* ---- samples.c ---- */

struct samples; /* the file */

/* Finds out whether the file is new or to be gone on with; options and plan are then what the file
 * says. *code is not Success after a message. */
struct samples *openSamples(struct options *options, struct plan *plan, char *facts, int argc,
                            char **argv, enum exit_code *code);
/* Writes what openSamples could not know yet. */
int writeHeader(struct samples *file, const struct options *options, const struct plan *plan);
int isResumed(const struct samples *file);
/* Puts what the file has of the points into them. */
void readBack(struct samples *file, struct plan *plan);
int writeLimit(struct samples *file, enum node node, enum limit limit, long bytes, long most);
int writeSamples(struct samples *file, const struct order *order, const struct sample *samples,
                 int firstRepetition);
int writeProbe(struct samples *file, const struct order *order, int repetition,
               const struct sample samples[2]);
int writeComplete(struct samples *file, const char *text);
int closeSamples(struct samples *file);

#endif
