// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: each rank parses its own argument vector with getopt_long, interleaved with the others.
#include "Check.h"
#include <getopt.h>
#include <string.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static const struct option names[] = {{"size", required_argument, NULL, 's'},
                                        {"verbose", no_argument, NULL, 'v'},
                                        {NULL, 0, NULL, 0}};
  int code, size = 0, verbose = 0, seen = 0;
  if (worldRank() % 2)
    others(); // the even ranks are one option ahead
  while ((code = getopt_long(argc, argv, "n:v", names, NULL)) != -1) {
    if (code == 's')
      size = atoi(optarg);
    verbose += code == 'v';
    ++seen;
    others();
  }
  if (worldRank() % 2 == 0)
    others();
  CHECK(size == 42 && verbose == 1 && seen == 3);
  CHECK(argc - optind == 2 && strcmp(argv[optind], "first") == 0 &&
        strcmp(argv[optind + 1], "second") == 0);
  passed("options");
  MPI_Finalize();
  return 0;
}
