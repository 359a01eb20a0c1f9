/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What is timed: one function an experiment, called on its participants. Each passes a barrier
 * first (start), after the receives that should be posted by then. */
#include "measure.h"

#include <stdlib.h>
#include <string.h>

enum { LeastWindow = 4, MostWindow = 32, MostRequests = 4096, PoolMessages = 16, Alignment = 64 };
static const long LeastPool = 32L << 20, Window = 256L << 10;

static struct {
  char *bytes;
  long size, next;
} out, in;
static MPI_Request requests[MostRequests];
static MPI_Status
    statuses[MostRequests]; /* gcc takes MPICH's MPI_STATUSES_IGNORE for an array of none */

void makeBuffers(long mostBytes) {
  out.size = in.size = PoolMessages * mostBytes > LeastPool ? PoolMessages * mostBytes : LeastPool;
  out.bytes = malloc((size_t)out.size);
  in.bytes = malloc((size_t)in.size);
  if (!out.bytes || !in.bytes) {
    fprintf(stderr, "measure: no memory for two buffers of %ld bytes; make --max smaller\n",
            out.size);
    MPI_Abort(MPI_COMM_WORLD, BadInput);
  }
  memset(out.bytes, 0, (size_t)out.size); /* no page is touched first while time runs */
  memset(in.bytes, 0, (size_t)in.size);
}

long windowBytes(void) { return Window; }

static long windowOf(long bytes) {
  const long window = Window / (bytes > 0 ? bytes : 1);
  return window < LeastWindow ? LeastWindow : window > MostWindow ? MostWindow : window;
}

long fewestRounds(const struct experiment *experiment, long bytes) {
  return experiment->repeat == UntilVeryLong ? 2 * windowOf(bytes) : experiment->rounds;
}

/* Of a stream, what is not in the time of its other end: a quarter, in whole windows. */
static long leadIn(long bytes, long messages) {
  const long window = windowOf(bytes);
  return (messages / 4 + window - 1) / window * window;
}

static long spaced(long bytes) { return (bytes / Alignment + 1) * Alignment; }

long mostRounds(long bytes, int ranks) {
  const long messages = out.size / spaced(bytes) / 2;
  return (messages < MostRequests ? messages : MostRequests) / (ranks - 1);
}

char *nextOut(long bytes) {
  if (out.next + spaced(bytes) > out.size)
    out.next = 0;
  out.next += spaced(bytes);
  return out.bytes + out.next - spaced(bytes);
}

char *nextIn(long bytes) {
  if (in.next + spaced(bytes) > in.size)
    in.next = 0;
  in.next += spaced(bytes);
  return in.bytes + in.next - spaced(bytes);
}

static double start(struct block *b) {
  MPI_Barrier(b->comm);
  return MPI_Wtime();
}

static void timed(struct block *b, int which, double since, long count) {
  b->sample.seconds[which] = MPI_Wtime() - since;
  b->sample.count[which] = (double)count;
}

static void send(struct block *b, long bytes, int dest, int tag) {
  MPI_Send(nextOut(bytes), (int)bytes, MPI_BYTE, dest, tag, b->comm);
}

static void receive(struct block *b, long bytes, int source, int tag) {
  MPI_Recv(nextIn(bytes), (int)bytes, MPI_BYTE, source, tag, b->comm, MPI_STATUS_IGNORE);
}

static void isend(struct block *b, int dest, MPI_Request *request) {
  MPI_Isend(nextOut(b->bytes), (int)b->bytes, MPI_BYTE, dest, Tag, b->comm, request);
}

static void ireceive(struct block *b, int source, MPI_Request *request) {
  MPI_Irecv(nextIn(b->bytes), (int)b->bytes, MPI_BYTE, source, Tag, b->comm, request);
}

static void pingPong(struct block *b) {
  const double since = start(b);
  for (long i = 0; i < b->rounds; ++i) {
    if (b->me == 0)
      send(b, b->bytes, 1, Tag);
    receive(b, b->bytes, 1 - b->me, Tag);
    if (b->me == 1)
      send(b, b->bytes, 0, Tag);
  }
  if (b->me == 0)
    timed(b, 0, since, 2 * b->rounds);
}

enum { Sends = 1, Receives = 2 };

/* b->rounds messages to the partner, from it, or both, a window of them under way. Gives the times
 * of the start and of the end of the lead-in. */
static void flow(struct block *b, int directions, double *began, double *led) {
  MPI_Request sends[MostWindow], receives[MostWindow];
  const long window = windowOf(b->bytes), all = b->rounds, ahead = window < all ? window : all;
  const int partner = 1 - b->me;
  for (long i = 0; (directions & Receives) && i < ahead; ++i)
    ireceive(b, partner, &receives[i]);
  *began = start(b);
  for (long i = 0; (directions & Sends) && i < ahead; ++i)
    isend(b, partner, &sends[i]);
  for (long i = 0; i < all; ++i) {
    if (directions & Receives) {
      MPI_Wait(&receives[i % window], MPI_STATUS_IGNORE);
      if (i + 1 == leadIn(b->bytes, all))
        *led = MPI_Wtime();
      if (i + window < all)
        ireceive(b, partner, &receives[i % window]);
    }
    if (directions & Sends) {
      MPI_Wait(&sends[i % window], MPI_STATUS_IGNORE);
      if (i + window < all)
        isend(b, partner, &sends[i % window]);
    }
  }
}

static void stream(struct block *b) {
  double began, led = 0;
  flow(b, b->me == 0 ? Sends : Receives, &began, &led);
  if (b->me == 0) {
    receive(b, 0, 1, AnswerTag);
    timed(b, 0, began, b->rounds);
  } else {
    timed(b, 1, led, b->rounds - leadIn(b->bytes, b->rounds));
    send(b, 0, 0, AnswerTag);
  }
}

static void bidirectionalStream(struct block *b) {
  double began, led;
  flow(b, Sends | Receives, &began, &led);
  timed(b, 0, began, b->rounds);
}

static void exchange(struct block *b) {
  const int to = (b->me + 1) % b->size, from = (b->me + b->size - 1) % b->size;
  const double since = start(b);
  for (long i = 0; i < b->rounds; ++i)
    MPI_Sendrecv(nextOut(b->bytes), (int)b->bytes, MPI_BYTE, to, Tag, nextIn(b->bytes),
                 (int)b->bytes, MPI_BYTE, from, Tag, b->comm, MPI_STATUS_IGNORE);
  timed(b, 0, since, b->rounds);
}

static void incast(struct block *b) {
  const long all = b->rounds * (b->size - 1);
  for (long i = 0; b->me == 0 && i < all; ++i)
    ireceive(b, 1 + (int)(i % (b->size - 1)), &requests[i]);
  const double since = start(b);
  if (b->me > 0) {
    for (long i = 0; i < b->rounds; ++i)
      send(b, b->bytes, 0, Tag);
    return;
  }
  MPI_Waitall((int)all, requests, statuses);
  timed(b, 0, since, all);
}

static void outcast(struct block *b) {
  const long all = b->rounds * (b->size - 1);
  for (long i = 0; b->me > 0 && i < b->rounds; ++i)
    ireceive(b, 0, &requests[i]);
  const double since = start(b);
  if (b->me > 0) {
    MPI_Waitall((int)b->rounds, requests, statuses);
    send(b, 0, 0, AnswerTag);
    return;
  }
  for (long i = 0; i < all; ++i)
    isend(b, 1 + (int)(i % (b->size - 1)), &requests[i]);
  MPI_Waitall((int)all, requests, statuses);
  for (int i = 1; i < b->size; ++i)
    receive(b, 0, i, AnswerTag);
  timed(b, 0, since, all);
}

/* The sender learns by an empty message that the receive is posted. */
static void receivePosted(struct block *b) {
  MPI_Request request;
  ireceive(b, 0, &request);
  start(b);
  send(b, 0, 0, AnswerTag);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void sendOverhead(struct block *b) {
  if (b->me == 1) {
    receivePosted(b);
    return;
  }
  start(b);
  receive(b, 0, 1, AnswerTag);
  const double since = MPI_Wtime();
  send(b, b->bytes, 1, Tag);
  timed(b, 0, since, 1);
}

static void nonblockingSendOverhead(struct block *b) {
  if (b->me == 1) {
    receivePosted(b);
    return;
  }
  MPI_Request request;
  start(b);
  receive(b, 0, 1, AnswerTag);
  const double since = MPI_Wtime();
  isend(b, 1, &request);
  timed(b, 0, since, 1);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void receiveOverhead(struct block *b) {
  start(b);
  if (b->me == 0) {
    MPI_Request both[2];
    isend(b, 1, &both[0]);
    MPI_Isend(nextOut(0), 0, MPI_BYTE, 1, AnswerTag, b->comm, &both[1]);
    MPI_Waitall(2, both, statuses);
    return;
  }
  receive(b, 0, 0, AnswerTag);
  const double since = MPI_Wtime();
  receive(b, b->bytes, 0, Tag);
  timed(b, 0, since, 1);
}

static void test(struct block *b) {
  MPI_Request request;
  int flag;
  if (b->me == 0)
    MPI_Irecv(nextIn(1), 0, MPI_BYTE, 1, Tag, b->comm, &request);
  const double since = start(b);
  if (b->me == 0) {
    for (long i = 0; i < b->rounds; ++i)
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    timed(b, 0, since, b->rounds);
    send(b, 0, 1, AnswerTag);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    receive(b, 0, 0, AnswerTag);
    send(b, 0, 0, Tag);
  }
}

static void iprobe(struct block *b) {
  int flag;
  const double since = start(b);
  for (long i = 0; b->me == 0 && i < b->rounds; ++i)
    MPI_Iprobe(1, Tag, b->comm, &flag, MPI_STATUS_IGNORE);
  if (b->me == 0)
    timed(b, 0, since, b->rounds);
}

static void barrier(struct block *b) {
  const double since = start(b);
  for (long i = 0; i < b->rounds; ++i)
    MPI_Barrier(b->comm);
  timed(b, 0, since, b->rounds);
}

static void bcast(struct block *b) {
  const double since = start(b);
  for (long i = 0; i < b->rounds; ++i)
    MPI_Bcast(nextOut(b->bytes), (int)b->bytes, MPI_BYTE, 0, b->comm);
  timed(b, 0, since, b->rounds);
}

static void allreduce(struct block *b) {
  const double since = start(b);
  for (long i = 0; i < b->rounds; ++i)
    MPI_Allreduce(nextOut(b->bytes), nextIn(b->bytes), (int)(b->bytes / 8), MPI_DOUBLE, MPI_SUM,
                  b->comm);
  timed(b, 0, since, b->rounds);
}

static void alltoall(struct block *b) {
  const double since = start(b);
  for (long i = 0; i < b->rounds; ++i)
    MPI_Alltoall(nextOut(b->size * b->bytes), (int)b->bytes, MPI_BYTE, nextIn(b->size * b->bytes),
                 (int)b->bytes, MPI_BYTE, b->comm);
  timed(b, 0, since, b->rounds);
}

/* clang-format off */
const struct experiment experiments[] = {
    /* name, at the other end, function, sizes, share of sizes, ranks, repeated, from a barrier, rounds tried first, messages in a row */
    {"pingpong", NULL, pingPong, AllSizes, 1, 2, 2, UntilLong, 0, 1, {2, 0}},
    {"stream", "stream-arrival", stream, AllSizes, 0.5, 2, 2, UntilVeryLong, 0, 0, {8, 0}},
    {"bidirectional-stream", NULL, bidirectionalStream, AllSizes, 0.5, 2, 2, UntilVeryLong, 0, 0, {12, 0}},
    {"exchange", NULL, exchange, AllSizes, 0.35, 2, 8, UntilLong, 1, 1, {2, 0}},
    {"incast", NULL, incast, AllSizes, 0.35, 4, 8, UntilLong, 1, 1, {0, 1}},
    {"outcast", NULL, outcast, AllSizes, 0.35, 4, 8, UntilLong, 1, 1, {0, 1}},
    {"os", NULL, sendOverhead, UpToFewEager, 0.35, 2, 2, Once, 0, 1, {2, 0}},
    {"ois", NULL, nonblockingSendOverhead, UpToFewEager, 0.35, 2, 2, Once, 0, 1, {2, 0}},
    {"or", NULL, receiveOverhead, UpToFewEager, 0.35, 2, 2, Once, 0, 1, {2, 0}},
    {"test", NULL, test, NoSize, 0, 2, 2, UntilLong, 0, 100, {1, 0}},
    {"iprobe", NULL, iprobe, NoSize, 0, 2, 2, UntilLong, 0, 100, {1, 0}},
    {"barrier", NULL, barrier, NoSize, 0, 2, 8, UntilLong, 1, 1, {1, 0}},
    {"bcast", NULL, bcast, AllSizes, 0.15, 4, 8, UntilLong, 1, 1, {0, 1}},
    {"allreduce", NULL, allreduce, Doubles, 0.15, 4, 8, UntilLong, 1, 1, {4, 0}},
    {"alltoall", NULL, alltoall, AllSizes, 0.15, 4, 8, UntilLong, 1, 1, {0, 2}},
};
/* clang-format on */
const int experimentCount = (int)(sizeof experiments / sizeof *experiments);
