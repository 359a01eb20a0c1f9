/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * An example of a reader of one's own: C, one function, no library. The format that it reads:
 *
 *     ranks 2
 *     0 works 1.5e6
 *     0 sends 1 800
 *     1 gets 0 800
 *
 *     cc -shared -fPIC -I$(gnomon --prefix)/include/gnomon own_reader.c -o own_reader.so
 *     gnomon trace convert --reader ./own_reader.so run.mine run.gtr
 */
#include <gnomon/TraceReader.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct gnomon_trace_field work_fields[] = {{"burst", GNOMON_TRACE_TEXT, 0},
                                                        {"instructions", GNOMON_TRACE_REAL, 0},
                                                        {"seconds", GNOMON_TRACE_REAL, 0}};
static const struct gnomon_trace_field send_fields[] = {{"buf.count", GNOMON_TRACE_COUNT, 0},
                                                        {"buf.size", GNOMON_TRACE_SIZE, 0},
                                                        {"dest", GNOMON_TRACE_PEER, 0},
                                                        {"tag", GNOMON_TRACE_TAG, 0},
                                                        {"comm", GNOMON_TRACE_COMM, 0}};
static const struct gnomon_trace_field receive_fields[] = {{"buf.count", GNOMON_TRACE_COUNT, 0},
                                                           {"buf.size", GNOMON_TRACE_SIZE, 0},
                                                           {"source", GNOMON_TRACE_PEER, 0},
                                                           {"tag", GNOMON_TRACE_TAG, 0},
                                                           {"comm", GNOMON_TRACE_COMM, 0}};

/* One line of a rank. A negative number: stop. */
static int read_line(const struct gnomon_trace_sink *sink, const char *line, uint64_t number) {
  unsigned rank, peer;
  long bytes;
  double instructions;
  if (sscanf(line, "%u works %lf", &rank, &instructions) == 2) {
    const int64_t values[] = {sink->text(sink->context, "own.c:1 work"),
                              gnomon_trace_real(instructions), gnomon_trace_real(NAN)};
    return sink->append(sink->context, rank,
                        sink->function(sink->context, "compute", work_fields, 3), values, 3);
  }
  if (sscanf(line, "%u sends %u %ld", &rank, &peer, &bytes) == 3) {
    const int64_t values[] = {bytes, 1, peer, 0, GNOMON_TRACE_WORLD};
    return sink->append(sink->context, rank,
                        sink->function(sink->context, "MPI_Send", send_fields, 5), values, 5);
  }
  if (sscanf(line, "%u gets %u %ld", &rank, &peer, &bytes) == 3) {
    const int64_t values[] = {bytes, 1, peer, 0, GNOMON_TRACE_WORLD};
    return sink->append(sink->context, rank,
                        sink->function(sink->context, "MPI_Recv", receive_fields, 5), values, 5);
  }
  return sink->fail(sink->context, number, "this is neither work, nor a message");
}

int gnomon_read_trace(const char *path, const struct gnomon_trace_sink *sink) {
  FILE *file = fopen(path, "r");
  if (!file)
    return sink->fail(sink->context, 0, strerror(errno));
  char line[256];
  unsigned ranks = 0;
  int code = 0;
  if (!fgets(line, sizeof line, file) || sscanf(line, "ranks %u", &ranks) != 1)
    code = sink->fail(sink->context, 1, "the first line must be 'ranks N'");
  else
    code = sink->begin(sink->context, ranks, path);
  for (uint64_t number = 2; code >= 0 && fgets(line, sizeof line, file); ++number)
    code = read_line(sink, line, number);
  fclose(file);
  return code < 0 ? 1 : 0;
}
