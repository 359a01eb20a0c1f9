/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the machine and the MPI library say of themselves, for the head of the file. */
#define _POSIX_C_SOURCE 200809L
#include "measure.h"

#include <stdlib.h>
#include <string.h>

extern char **environ;

void *allocated(size_t bytes) { return allocatedAgain(NULL, bytes); }

void *allocatedAgain(void *old, size_t bytes) {
  void *memory = realloc(old, bytes ? bytes : 1);
  if (!memory) {
    fprintf(stderr, "measure: error: no memory for %zu bytes\n", bytes);
    MPI_Abort(MPI_COMM_WORLD, BadInput);
  }
  return memory;
}

/* One line's worth: nothing that would end it or look like a field. */
static void tidy(char *text) {
  for (char *at = text; *at; ++at)
    if ((unsigned char)*at < ' ')
      *at = ' ';
}

static void processorModel(char *text, size_t size) {
  snprintf(text, size, "unknown");
  FILE *file = fopen("/proc/cpuinfo", "r");
  char line[512];
  while (file && fgets(line, sizeof line, file)) {
    char *value = strchr(line, ':');
    if (strncmp(line, "model name", 10) == 0 && value) {
      value += strspn(value, ": \t");
      value[strcspn(value, "\n")] = 0;
      snprintf(text, size, "%s", value);
      break;
    }
  }
  if (file)
    fclose(file);
}

enum { Width = 256 }; /* of a rank's answer */

/* The answers of all ranks, Width bytes each, at the root. */
static char *everybodys(const char *mine) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char own[Width] = "";
  snprintf(own, sizeof own, "%s", mine);
  tidy(own);
  char *all = rank == 0 ? allocated((size_t)size * Width) : NULL;
  MPI_Gather(own, Width, MPI_CHAR, all, Width, MPI_CHAR, 0, MPI_COMM_WORLD);
  return all;
}

static void joined(const char *key, const char *answers, int count, FILE *to) {
  fprintf(to, "# %s:", key);
  for (int i = 0; i < count; ++i)
    fprintf(to, " %s", answers + (size_t)i * Width);
  fprintf(to, "\n");
}

static void each(const char *key, const char *answers, int count, FILE *to) {
  for (int i = 0; i < count; ++i) {
    int known = 0;
    for (int j = 0; j < i; ++j)
      known |= strcmp(answers + (size_t)i * Width, answers + (size_t)j * Width) == 0;
    if (!known)
      fprintf(to, "# %s: %s\n", key, answers + (size_t)i * Width);
  }
}

static void writeGroups(FILE *to) {
  for (int node = 0; node < Nodes; ++node) {
    if (groups[node].size == 0)
      continue;
    fprintf(to, "# group-%s:", nodeNames[node]);
    for (int i = 0; i < groups[node].size; ++i)
      fprintf(to, " %d", groups[node].ranks[i]);
    fprintf(to, "\n");
  }
}

/* Variables that users tune the libraries with; no others, which may be nobody's business. */
static void writeEnvironment(FILE *to) {
  static const char *const tuning[] = {"OMPI_MCA_pml",  "OMPI_MCA_btl", "OMPI_MCA_mtl",
                                       "OMPI_MCA_coll", "MPIR_CVAR_",   "UCX_",
                                       "FI_",           "GNOMON_IDLE"};
  for (char **at = environ; *at; ++at)
    for (size_t i = 0; i < sizeof tuning / sizeof *tuning; ++i)
      if (strncmp(*at, tuning[i], strlen(tuning[i])) == 0 && !strpbrk(*at, "\r\n"))
        fprintf(to, "# environment: %s\n", *at);
}

static void writeLibrary(FILE *to) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length, major, minor;
  MPI_Get_library_version(version, &length);
  version[strcspn(version, "\n")] = 0;
  tidy(version);
  MPI_Get_version(&major, &minor);
  fprintf(to, "# mpi: %s\n# mpi-standard: %d.%d\n", version, major, minor);
}

char *gatherFacts(void) {
  char host[MPI_MAX_PROCESSOR_NAME], model[Width], timer[64];
  int length, size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Get_processor_name(host, &length);
  for (char *at = host; *at; ++at)
    *at = *at == ' ' ? '_' : *at;
  processorModel(model, sizeof model);
  snprintf(timer, sizeof timer, "%.3g", clockSeconds);
  char *hosts = everybodys(host), *models = everybodys(model), *timers = everybodys(timer), *text;
  if (!hosts)
    return NULL;
  size_t bytes;
  FILE *to = open_memstream(&text, &bytes);
  writeLibrary(to);
  fprintf(to, "# ranks: %d\n", size);
  joined("hosts", hosts, size, to);
  writeGroups(to);
  each("cpu", models, size, to);
  fprintf(to, "# wtime-tick: %.9g\n", MPI_Wtick());
  joined("timer-cost", timers, size, to);
  writeEnvironment(to);
  fclose(to);
  free(hosts);
  free(models);
  free(timers);
  return text;
}
