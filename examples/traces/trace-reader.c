/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Prints a trace: what it is of, and each record of each rank, or of one rank from one record on.
 * A reader of your own begins like this.
 *
 *   P=$(gnomon --prefix)
 *   cc -I$P/include/gnomon trace-reader.c -L$P/lib -Wl,-rpath,$P/lib -lgnomon-trace -o trace-reader
 *   ./trace-reader FILE [RANK [FIRST]]
 */
#include <gnomon/Trace.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void print_value(const gnomon_trace *trace, int kind, int64_t value) {
  const char *string = kind == GNOMON_TRACE_TEXT ? gnomon_trace_string(trace, value) : NULL;
  if (string)
    printf("\"%s\"", string);
  else if (kind == GNOMON_TRACE_REAL && isnan(gnomon_trace_real(value)))
    printf("nan"); /* was not counted, or not measured */
  else if (kind == GNOMON_TRACE_REAL)
    printf("%.17g", gnomon_trace_real(value));
  else
    printf("%" PRId64, value);
}

static void print_record(const gnomon_trace *trace, uint32_t rank,
                         const struct gnomon_trace_record *record) {
  const int64_t *value = record->values;
  printf("%" PRIu32 " %s", rank, gnomon_trace_function_name(trace, record->function));
  for (uint32_t field = 0; field < gnomon_trace_fields(trace, record->function); ++field) {
    const int kind = gnomon_trace_field_kind(trace, record->function, field);
    printf(" %s=", gnomon_trace_field_name(trace, record->function, field));
    if (!gnomon_trace_field_is_list(trace, record->function, field)) {
      print_value(trace, kind, *value++);
      continue;
    }
    for (int64_t left = *value++; left > 0; --left) {
      print_value(trace, kind, *value++);
      if (left > 1)
        printf(",");
    }
  }
  printf("\n");
}

/* Returns whether all could be read. */
static int print_rank(const gnomon_trace *trace, uint32_t rank, uint64_t first) {
  gnomon_trace_cursor *cursor = gnomon_trace_cursor_open(trace, rank, first);
  struct gnomon_trace_record record;
  int more = -1;
  while (cursor && (more = gnomon_trace_next(cursor, &record)) == 1)
    print_record(trace, rank, &record);
  gnomon_trace_cursor_close(cursor);
  return more == 0;
}

static void print_facts(const gnomon_trace *trace) {
  size_t count = 0;
  printf("program %s, ranks %" PRIu32 ", origin %s%s\n", gnomon_trace_program(trace),
         gnomon_trace_ranks(trace), gnomon_trace_origin(trace),
         gnomon_trace_complete(trace) ? "" : ", INCOMPLETE");
  for (uint64_t comm = 2; comm < gnomon_trace_communicators(trace); ++comm) {
    const uint32_t *members = gnomon_trace_members(trace, (int64_t)comm, &count);
    printf("communicator %" PRIu64, comm);
    for (size_t i = 0; i < count; ++i)
      printf(" %" PRIu32, members[i]);
    printf("\n");
  }
}

int main(int argc, char **argv) {
  gnomon_trace *trace = argc > 1 ? gnomon_trace_open(argv[1]) : NULL;
  if (argc < 2)
    fprintf(stderr, "usage: %s FILE [RANK [FIRST]]\n", argv[0]);
  else if (!trace)
    fprintf(stderr, "%s\n", gnomon_trace_error());
  if (!trace)
    return 2;
  int good = 1;
  if (argc > 2) {
    good = print_rank(trace, (uint32_t)strtoul(argv[2], NULL, 10),
                      argc > 3 ? strtoull(argv[3], NULL, 10) : 0);
  } else {
    print_facts(trace);
    for (uint32_t rank = 0; good && rank < gnomon_trace_ranks(trace); ++rank)
      good = print_rank(trace, rank, 0);
  }
  if (!good)
    fprintf(stderr, "%s\n", gnomon_trace_error());
  gnomon_trace_close(trace);
  return good ? 0 : 2;
}
