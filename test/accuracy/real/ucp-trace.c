/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For LD_PRELOAD under MPICH over UCX: writes `ENDPOINT BYTES` for each message that the rank hands
 * to UCX between MPI_Pcontrol(1) and MPI_Pcontrol(0) to the file UCP_TRACE.RANK, RANK as PMI
 * numbers it. Endpoints are numbered in the order in which they are created. UCX is loaded by the
 * library, so only its names are needed here. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *endpoints[4096];
static int known, tracing;
static FILE *file;

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

int MPI_Pcontrol(const int level, ...) {
  tracing = level;
  if (level && !file) {
    char path[4096];
    const char *rank = getenv("PMI_RANK");
    snprintf(path, sizeof path, "%s.%s", getenv("UCP_TRACE"), rank ? rank : "0");
    file = fopen(path, "w");
  } else if (!level && file) {
    fflush(file);
  }
  return 0;
}

int ucp_ep_create(void *worker, const void *parameters, void **endpoint) {
  int (*create)(void *, const void *, void **) = real("ucp_ep_create");
  int status = create(worker, parameters, endpoint);
  endpoints[known++] = *endpoint;
  return status;
}

/* The head of ucp_request_param_t. Bit 3 of the mask says that `datatype` is given; a contiguous
 * one is its element's size with three zero bits below. */
struct parameters {
  unsigned mask, flags;
  void *request, *callback;
  unsigned long datatype;
};

/* The size of a message whose type is not contiguous is not known here: -1. */
static void note(void *endpoint, size_t count, const struct parameters *parameters) {
  if (!tracing || !file)
    return;
  const int given = (parameters->mask & 8) != 0,
            contiguous = !given || (parameters->datatype & 7) == 0;
  const long bytes = !contiguous ? -1 : (long)(count * (given ? parameters->datatype >> 3 : 1));
  int number = 0;
  while (number < known && endpoints[number] != endpoint)
    ++number;
  fprintf(file, "%d %ld\n", number, bytes);
}

typedef void *Send(void *endpoint, const void *buffer, size_t count, unsigned long tag,
                   const void *parameters);

void *ucp_tag_send_nbx(void *endpoint, const void *buffer, size_t count, unsigned long tag,
                       const void *parameters) {
  note(endpoint, count, parameters);
  return ((Send *)real("ucp_tag_send_nbx"))(endpoint, buffer, count, tag, parameters);
}

void *ucp_tag_send_sync_nbx(void *endpoint, const void *buffer, size_t count, unsigned long tag,
                            const void *parameters) {
  note(endpoint, count, parameters);
  return ((Send *)real("ucp_tag_send_sync_nbx"))(endpoint, buffer, count, tag, parameters);
}
