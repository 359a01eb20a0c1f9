/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How large a message may be that MPI_Send hands over without its receiver: larger ones wait until
 * there is a receive for them. Asked twice, because libraries answer differently: of a receiver
 * that is inside MPI, but has not posted the receive (the eager limit of the protocol), and of one
 * that computes, so that its side of the library does nothing (the absent limit). The receive is
 * late; a send that takes much less than the delay has not waited for it. */
#define _POSIX_C_SOURCE 200809L
#include "measure.h"

#include <stdlib.h>
#include <time.h>

const char *const limitNames[Limits] = {"eager", "absent"};

/* Lets time pass; returns how much. One who is inside MPI looks for a message that nobody sends. */
static double passed(MPI_Comm comm, double seconds, enum limit limit) {
  static const long nap = 50000;
  const double since = MPI_Wtime();
  double now = since;
  while (now - since < seconds) {
    double left = (seconds - (now - since)) * 1e9;
    int flag;
    if (limit == Eager) {
      MPI_Iprobe(0, AnswerTag, comm, &flag, MPI_STATUS_IGNORE);
      left = left < (double)nap ? left : (double)nap;
    }
    struct timespec wanted = {(time_t)(left / 1e9), 0};
    wanted.tv_nsec = (long)(left - (double)wanted.tv_sec * 1e9) + 1;
    nanosleep(&wanted, NULL);
    now = MPI_Wtime();
  }
  return now - since;
}

struct sample probeEager(MPI_Comm comm, long bytes, double delaySeconds, enum limit limit) {
  struct sample sample = {{-1, -1}, {1, 1}};
  int me;
  MPI_Comm_rank(comm, &me);
  MPI_Barrier(comm);
  if (me == 0) {
    const double since = MPI_Wtime();
    MPI_Send(nextOut(bytes), (int)bytes, MPI_BYTE, 1, Tag, comm);
    sample.seconds[0] = MPI_Wtime() - since;
  } else {
    sample.seconds[1] = passed(comm, delaySeconds, limit);
    MPI_Recv(nextIn(bytes), (int)bytes, MPI_BYTE, 0, Tag, comm, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(comm);
  return sample;
}

struct probe {
  struct samples *file;
  enum node node;
  enum limit limit;
  int repetition;
  double factor; /* of the receiver's delay */
  int failed;    /* the file could not be written */
};

/* Whether a send of so many bytes returns without a receiver. */
static int returns(struct probe *probe, long bytes) {
  const struct group *group = &groups[probe->node];
  const double moved = group->latencySeconds + (double)bytes * group->secondsPerByte,
               least = 0.01 + 4 * moved;
  struct order order = {
      .kind = ProbeEager, .node = probe->node, .bytes = bytes, .rounds = probe->limit};
  order.delaySeconds = probe->factor * least;
  struct sample *samples = give(order);
  if (!writeProbe(probe->file, &order, probe->repetition++, samples))
    probe->failed = 1;
  const int answer = samples[0].seconds[0] < samples[1].seconds[1] / 2;
  free(samples);
  return answer;
}

/* By doubling and then by bisection; most when all return. */
static long bisect(struct probe *probe, long most) {
  long good = 0, bad = 1;
  while (bad < most && returns(probe, bad)) {
    good = bad;
    bad *= 2;
  }
  if (bad >= most) {
    if (returns(probe, most))
      return most;
    bad = most;
  }
  while (bad - good > 1) {
    const long middle = good + (bad - good) / 2;
    if (returns(probe, middle))
      good = middle;
    else
      bad = middle;
  }
  return good;
}

long findLimit(struct samples *file, enum node node, enum limit limit, long most, double until) {
  enum { Attempts = 3, Confirmations = 2 };
  struct probe probe = {.file = file, .node = node, .limit = limit, .factor = 1};
  for (int attempt = 0; attempt < Attempts && (attempt == 0 || MPI_Wtime() < until);
       ++attempt, probe.factor *= 2) {
    const long found = bisect(&probe, most);
    int sure = 1; /* a busy machine may have held up a send or a receiver */
    for (int i = 0; i < Confirmations; ++i)
      sure &=
          (found == 0 || returns(&probe, found)) && (found >= most || !returns(&probe, found + 1));
    if (sure || probe.failed)
      return found;
  }
  return Unclear;
}
