/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Kernels on global arrays and scalars: what does going through the rank's delta cost? The same
 * source is linked with and without the pass and the two are timed against each other
 * (privatisation.py). Prints "name nanoseconds checksum" per kernel, the best of many repetitions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 4096, SIDE = 96, SORTED = 20000 };

double a[N], b[N], c[N];
double scalar = 3.0;
int indices[N];
double grid[SIDE][SIDE], next[SIDE][SIDE];
int rows = SIDE, columns = SIDE;
double sumAbove, sumBelow;
unsigned long seed = 12345;
unsigned histogram[256];
int keys[SORTED], unsortedKeys[SORTED];
long comparisons;
static struct {
  long steps;
  double energy;
  double position[3], velocity[3];
} body;

static void fill(void) {
  for (int i = 0; i < N; i++) {
    a[i] = i * 0.5;
    b[i] = i * 0.25;
    c[i] = 1.0 / (i + 1);
    indices[i] = (i * 977) % N;
  }
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++)
      grid[i][j] = i * j % 17;
  unsigned value = 1;
  for (int i = 0; i < SORTED; i++) {
    value = value * 1103515245u + 12345u;
    unsortedKeys[i] = (int)(value >> 8);
  }
}

__attribute__((noinline)) static void triad(void) {
  for (int i = 0; i < N; i++)
    a[i] = b[i] + scalar * c[i];
}

__attribute__((noinline)) static void gather(void) {
  for (int i = 0; i < N; i++)
    a[i] = b[indices[i]] * scalar + c[i];
}

__attribute__((noinline)) static void stencil(void) {
  for (int i = 1; i < rows - 1; i++)
    for (int j = 1; j < columns - 1; j++)
      next[i][j] = 0.25 * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]);
}

__attribute__((noinline)) static void accumulate(void) {
  for (int i = 1; i < N - 1; i++) {
    double change = 0.5 * (b[i - 1] + b[i + 1]) - b[i];
    b[i] += change;
    if (change > 0)
      sumAbove += change;
    else
      sumBelow -= change;
  }
}

__attribute__((noinline)) static unsigned draw(void) {
  seed = seed * 6364136223846793005ul + 1442695040888963407ul;
  return (unsigned)(seed >> 33);
}

__attribute__((noinline)) static void drawMany(void) {
  for (int i = 0; i < N; i++)
    histogram[draw() & 255]++;
}

__attribute__((noinline)) static void moveBody(void) {
  for (int i = 0; i < N; i++) {
    body.steps++;
    for (int k = 0; k < 3; k++) {
      body.velocity[k] -= 0.001 * body.position[k];
      body.position[k] += 0.001 * body.velocity[k];
    }
    body.energy += body.velocity[0] * body.velocity[0];
  }
}

__attribute__((noinline)) static void quicksort(int low, int high) {
  if (low >= high)
    return;
  int pivot = keys[(low + high) / 2], i = low, j = high;
  while (i <= j) {
    while (keys[i] < pivot)
      i++;
    while (keys[j] > pivot)
      j--;
    comparisons++;
    if (i <= j) {
      int swap = keys[i];
      keys[i++] = keys[j];
      keys[j--] = swap;
    }
  }
  quicksort(low, j);
  quicksort(i, high);
}

__attribute__((noinline)) static void sortAll(void) {
  for (int i = 0; i < SORTED; i++)
    keys[i] = unsortedKeys[i];
  quicksort(0, SORTED - 1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

static double checksum(void) {
  double sum = sumAbove - sumBelow + seed % 1000 + body.energy + comparisons;
  for (int i = 0; i < N; i++)
    sum += a[i] + b[i];
  for (int i = 0; i < SIDE; i++)
    sum += next[i][i];
  return sum + keys[SORTED / 2] + histogram[7];
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
    int repetitions;
  } kernels[] = {{"triad", triad, 60},     {"gather", gather, 60},
                 {"stencil", stencil, 60}, {"accumulators", accumulate, 60},
                 {"random", drawMany, 60}, {"body", moveBody, 30},
                 {"quicksort", sortAll, 3}};
  int rounds = argc > 1 ? atoi(argv[1]) : 40;
  fill();
  for (unsigned k = 0; k < sizeof kernels / sizeof *kernels; k++) {
    double best = 1e30;
    for (int round = 0; round < rounds; round++) {
      double start = now();
      for (int i = 0; i < kernels[k].repetitions; i++)
        kernels[k].run();
      double time = (now() - start) / kernels[k].repetitions;
      best = time < best ? time : best;
    }
    printf("%s %.1f %.17g\n", kernels[k].name, best, checksum());
  }
  return 0;
}
