/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** \file
 * Reading of Gnomon's traces (docs/trace-format.md) from C, and from all that can call C:
 *
 *   cc -I$(gnomon --prefix)/include/gnomon reader.c -L$(gnomon --prefix)/lib -lgnomon-trace
 *
 * The interface is stable: what is here stays as it is, and what is added has new names. Texts are
 * in UTF-8 as a rule, end with a zero, and live as long as the trace.
 *
 * A trace may be read by several threads, each with cursors of its own.
 */
#ifndef GNOMON_TRACE_H
#define GNOMON_TRACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gnomon_trace gnomon_trace;
typedef struct gnomon_trace_cursor gnomon_trace_cursor;

/** What the values of a field are. New kinds may be added: treat what is unknown as a number. */
enum gnomon_trace_kind {
  GNOMON_TRACE_NUMBER = 0,
  GNOMON_TRACE_COUNT = 1, /**< elements; -1: MPI_IN_PLACE; -2: the buffer does not count */
  GNOMON_TRACE_SIZE = 2,  /**< bytes of an element */
  GNOMON_TRACE_PEER = 3,  /**< rank of the record's communicator; -1: any; -2: none; -3: MPI_ROOT */
  GNOMON_TRACE_TAG = 4,   /**< -1: any */
  GNOMON_TRACE_COMM = 5,  /**< communicator; -1: none */
  GNOMON_TRACE_SET = 6,   /**< set of processes; -1: none */
  GNOMON_TRACE_REQUEST = 7, /**< slot of the rank; 0: none */
  GNOMON_TRACE_TEXT = 8,    /**< string */
  GNOMON_TRACE_REAL = 9     /**< bits of a double: gnomon_trace_real() */
};

/** A call, or a computation. Its values are those of its function's fields, in order: of a list,
 * its length and then so many values; of any other field one. They stay until the cursor moves. */
struct gnomon_trace_record {
  uint32_t function;
  uint32_t values_count;
  const int64_t *values;
};

/** Opens a trace; null when that fails, and gnomon_trace_error() says why. */
gnomon_trace *gnomon_trace_open(const char *path);
/** Its cursors must be closed before. Null does nothing. */
void gnomon_trace_close(gnomon_trace *trace);
/** What went wrong last in this thread, with the file's name: "a.gtr: byte 1234: ...". */
const char *gnomon_trace_error(void);

uint32_t gnomon_trace_ranks(const gnomon_trace *trace);
/** The program's file and arguments, and who wrote the trace. */
const char *gnomon_trace_program(const gnomon_trace *trace);
const char *gnomon_trace_origin(const gnomon_trace *trace);
/** 0: the recording ended before the program did. */
int gnomon_trace_complete(const gnomon_trace *trace);
/** Of a floating-point operation, on the host of the recording; 0: not known. */
double gnomon_trace_seconds_per_flop(const gnomon_trace *trace);

/** Functions and their fields are numbered from 0; null or 0 where there is no such number. */
uint32_t gnomon_trace_functions(const gnomon_trace *trace);
const char *gnomon_trace_function_name(const gnomon_trace *trace, uint32_t function);
uint32_t gnomon_trace_fields(const gnomon_trace *trace, uint32_t function);
const char *gnomon_trace_field_name(const gnomon_trace *trace, uint32_t function, uint32_t field);
int gnomon_trace_field_kind(const gnomon_trace *trace, uint32_t function, uint32_t field);
int gnomon_trace_field_is_list(const gnomon_trace *trace, uint32_t function, uint32_t field);

uint64_t gnomon_trace_strings(const gnomon_trace *trace);
const char *gnomon_trace_string(const gnomon_trace *trace, int64_t number);

/** Communicators 0 and 1 are MPI_COMM_WORLD and MPI_COMM_SELF, and have no members here. Members
 * are ranks of MPI_COMM_WORLD. Null where there are none; their number is put into \p count. */
uint64_t gnomon_trace_communicators(const gnomon_trace *trace);
const uint32_t *gnomon_trace_members(const gnomon_trace *trace, int64_t comm, size_t *count);
const uint32_t *gnomon_trace_remote_members(const gnomon_trace *trace, int64_t comm, size_t *count);
uint64_t gnomon_trace_sets(const gnomon_trace *trace);
const uint32_t *gnomon_trace_set_members(const gnomon_trace *trace, int64_t set, size_t *count);

/** How many records a rank has; 0 where there is no such rank. */
uint64_t gnomon_trace_records(const gnomon_trace *trace, uint32_t rank);
/** Before record \p first, from 0 on, of a rank. Null when that fails: gnomon_trace_error(). */
gnomon_trace_cursor *gnomon_trace_cursor_open(const gnomon_trace *trace, uint32_t rank,
                                              uint64_t first);
/** 1: \p record is the next one; 0: there is none; -1: the file is damaged, and
 * gnomon_trace_error() says where. */
int gnomon_trace_next(gnomon_trace_cursor *cursor, struct gnomon_trace_record *record);
/** Null does nothing. */
void gnomon_trace_cursor_close(gnomon_trace_cursor *cursor);

/** The double whose bits a value is. */
double gnomon_trace_real(int64_t value);

#ifdef __cplusplus
}
#endif

#endif
