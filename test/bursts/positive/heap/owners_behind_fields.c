// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: behind each field's numbers lies the address of its owner, and the fields' halos go through a buffer, by copies
// whose lengths nobody knows. What a copy takes along of numbers is no address.
// WITH: owners_behind_fields_part.c
#include "../../ring.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Field {
  char *name;
  double *data;
  struct Field **owner;
} Field;

void leave(int code);

static Field *create(const char *name, int size) {
  Field *field = malloc(sizeof *field);
  field->name = malloc(20);
  snprintf(field->name, 20, "%s", name);
  field->data = malloc(size * sizeof(double) + sizeof(Field *));
  field->owner = (Field **)(field->data + size);
  *field->owner = field;
  for (int i = 0; i < size; ++i)
    field->data[i] = 0;
  return field;
}

static void use(const Field *field) {
  if (*field->owner != field) {
    printf("the memory of %s is in use by %s\n", field->name, (*field->owner)->name);
    leave(3);
  }
}

static void exchange(Field *field, double *out, int halo) {
  double *in = out + halo;
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  memcpy(out, field->data + halo, halo * sizeof(double));
  MPI_Sendrecv(out, halo, MPI_DOUBLE, (rank + 1) % ranks, 1, in, halo, MPI_DOUBLE,
               (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  memcpy(field->data, in, halo * sizeof(double));
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), halo = 10 + argc, size = N - argc;
  Field *density = create("density", size), *energy = create("energy", size);
  double *buffer = malloc(2 * halo * sizeof(double));
  for (int step = 0; step < STEPS; ++step) {
    use(density);
    // EXPECT-SKIP
    for (int i = 0; i < size; ++i)
      energy->data[i] += density->data[i] * noise(i, step, rank) + 1;
    use(energy);
    // EXPECT-SKIP
    for (int i = 0; i < size; ++i)
      density->data[i] = 0.5 * energy->data[i];
    exchange(density, buffer, halo);
    exchange(energy, buffer, halo);
  }
  free(buffer);
  leave(0);
}
