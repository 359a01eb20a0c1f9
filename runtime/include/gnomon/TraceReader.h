/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/**
 * \file
 * A reader of your own for traces that Gnomon does not know. Write one function, gnomon_read_trace,
 * compile it to a shared object, and give it to
 *
 *     gnomon trace convert --reader ./my-reader.so IN OUT
 *
 * C, C++ or anything that can export a C function will do. docs/traces.md says what a trace is made
 * of.
 * Structures only ever grow at their end, so that a reader that was compiled once goes on working.
 */
#ifndef GNOMON_TRACEREADER_H
#define GNOMON_TRACEREADER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a value means. */
enum gnomon_trace_kind {
  GNOMON_TRACE_NUMBER,  /**< any integer */
  GNOMON_TRACE_COUNT,   /**< elements of a buffer, or GNOMON_TRACE_IN_PLACE, GNOMON_TRACE_ABSENT */
  GNOMON_TRACE_SIZE,    /**< bytes of an element */
  GNOMON_TRACE_PEER,    /**< rank of the communicator, or GNOMON_TRACE_ANY_PEER, … */
  GNOMON_TRACE_TAG,     /**< or GNOMON_TRACE_ANY_TAG */
  GNOMON_TRACE_COMM,    /**< from GNOMON_TRACE_WORLD, GNOMON_TRACE_SELF or communicator() */
  GNOMON_TRACE_SET,     /**< from set() */
  GNOMON_TRACE_REQUEST, /**< the lowest slot from 1 on that was free when the request was made */
  GNOMON_TRACE_TEXT,    /**< from text() */
  GNOMON_TRACE_REAL     /**< bits of a double: gnomon_trace_real() */
};

#define GNOMON_TRACE_IN_PLACE (-1)
#define GNOMON_TRACE_ABSENT (-2)
#define GNOMON_TRACE_ANY_PEER (-1)
#define GNOMON_TRACE_NULL_PEER (-2)
#define GNOMON_TRACE_ROOT_PEER (-3)
#define GNOMON_TRACE_ANY_TAG (-1)
#define GNOMON_TRACE_NULL_ROW (-1)
#define GNOMON_TRACE_WORLD 0
#define GNOMON_TRACE_SELF 1

struct gnomon_trace_field {
  const char *name; /**< as docs/traces.md has it: "buf.count", "dest" */
  int kind;         /**< an enum gnomon_trace_kind */
  int is_list;      /**< the value is a length, then so many values */
};

/**
 * Where the reader puts what it reads. Every function takes `context` first. Each gives a negative
 * number when reading has to stop (what went wrong is kept, and told to the user): return from
 * gnomon_read_trace then, with any value.
 */
struct gnomon_trace_sink {
  size_t bytes; /**< sizeof this structure, as Gnomon has it */
  void *context;
  /** First of all: how many ranks there are. `program` may be NULL. */
  int (*begin)(void *context, uint32_t ranks, const char *program);
  /** The number of a function, with its fields. The same for the same function. */
  int64_t (*function)(void *context, const char *name, const struct gnomon_trace_field *fields,
                      size_t count);
  /** The number of a string. The same for the same string. */
  int64_t (*text)(void *context, const char *text);
  /** A new communicator; members are ranks of MPI_COMM_WORLD. `remote`: of an intercommunicator. */
  int64_t (*communicator)(void *context, const uint32_t *members, size_t count,
                          const uint32_t *remote, size_t remote_count);
  int64_t (*set)(void *context, const uint32_t *members, size_t count);
  /** The next record of a rank: its function's values, lists with their lengths. */
  int (*append)(void *context, uint32_t rank, int64_t function, const int64_t *values,
                size_t count);
  /** The file is not as it should be. `line` 0: not known. Gives a negative number. */
  int (*fail)(void *context, uint64_t line, const char *message);
};

/** Yours: reads `path` into `sink`. 0: all is well. */
int gnomon_read_trace(const char *path, const struct gnomon_trace_sink *sink);

/** The value of a field of the kind GNOMON_TRACE_REAL. */
static inline int64_t gnomon_trace_real(double value) {
  union {
    double real;
    int64_t bits;
  } both;
  both.real = value;
  return both.bits;
}

#ifdef __cplusplus
}
#endif

#endif
