// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounds in which no rank knows how many others will ask it something: each sends its questions and
// answers those of others, polling for questions and for its answers in turn, until a tree of ranks has
// found that all are answered. exchange ROUNDS SEED
#include <mpi.h>
#include <stdlib.h>

enum { MostRanks = 64, QuestionBytes = 16, AnswerBytes = 40 };
static double work[1000];
static int rank, ranks, seed;

static unsigned mixed(unsigned a, unsigned b, unsigned c) {
  unsigned hash = seed * 2654435761u + a;
  hash = (hash ^ hash >> 15) * 2246822519u + b;
  hash = (hash ^ hash >> 13) * 3266489917u + c;
  return hash ^ hash >> 16;
}

static void compute(int turns) {
  for (int i = 0; i < turns; ++i)
    work[i % 1000] = work[i % 1000] * 0.5 + i;
}

/// Ranks that \p rank asks in \p round.
static int contactsOf(int round, int *contacts) {
  int count = 0;
  for (int other = 0; other < ranks; ++other)
    if (other != rank && mixed(rank, other, round) % 4 == 0)
      contacts[count++] = other;
  return count;
}

static void answer(int tag) {
  static char question[QuestionBytes], reply[AnswerBytes];
  MPI_Status status;
  int there = 0;
  for (MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status); there;
       MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status)) {
    MPI_Recv(question, QuestionBytes, MPI_CHAR, status.MPI_SOURCE, tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    compute(mixed(rank, status.MPI_SOURCE, tag) % 300);
    MPI_Send(reply, AnswerBytes, MPI_CHAR, status.MPI_SOURCE, tag + 1, MPI_COMM_WORLD);
  }
}

static void exchange(int round) {
  static char question[QuestionBytes], replies[MostRanks][AnswerBytes];
  MPI_Request asked[MostRanks], replied[MostRanks], below[2], above = MPI_REQUEST_NULL,
                                                              told = MPI_REQUEST_NULL;
  const int tag = 10 * (round % 2);
  int contacts[MostRanks], children = 0;
  const int count = contactsOf(round, contacts);
  for (int i = 0; i < count; ++i)
    MPI_Irecv(replies[i], AnswerBytes, MPI_CHAR, contacts[i], tag + 1, MPI_COMM_WORLD, &replied[i]);
  for (int i = 0; i < count; ++i)
    MPI_Isend(question, QuestionBytes, MPI_CHAR, contacts[i], tag, MPI_COMM_WORLD, &asked[i]);
  for (int child = 2 * rank + 1; child <= 2 * rank + 2 && child < ranks; ++child)
    MPI_Irecv(NULL, 0, MPI_INT, child, tag + 2, MPI_COMM_WORLD, &below[children++]);
  int haveReplies = count == 0, haveChildren = 0, ended = 0;
  while (!ended) {
    answer(tag);
    if (!haveReplies) {
      MPI_Testall(count, replied, &haveReplies, MPI_STATUSES_IGNORE);
    } else if (!haveChildren) {
      MPI_Testall(children, below, &haveChildren, MPI_STATUSES_IGNORE);
      if (haveChildren && rank > 0) {
        MPI_Isend(NULL, 0, MPI_INT, (rank - 1) / 2, tag + 2, MPI_COMM_WORLD, &told);
        MPI_Irecv(NULL, 0, MPI_INT, (rank - 1) / 2, tag + 2, MPI_COMM_WORLD, &above);
      }
    } else {
      if (rank == 0)
        ended = 1;
      else
        MPI_Test(&above, &ended, MPI_STATUS_IGNORE);
      if (ended) {
        if (rank > 0)
          MPI_Wait(&told, MPI_STATUS_IGNORE);
        for (int child = 2 * rank + 1; child <= 2 * rank + 2 && child < ranks; ++child)
          MPI_Send(NULL, 0, MPI_INT, child, tag + 2, MPI_COMM_WORLD);
      }
    }
  }
  MPI_Waitall(count, asked, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int rounds = atoi(argv[1]);
  seed = atoi(argv[2]);
  for (int round = 0; round < rounds; ++round) {
    compute(mixed(rank, round, 77) % 2000);
    exchange(round);
  }
  MPI_Finalize();
  return 0;
}
