// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a text in a structure becomes strings, again and again; the arrays that lie behind it there are no text.
#include "../../ring.h"
#include <cstring>
#include <iostream>
#include <string>

struct Model {
  char reason[80];
  double *density, *pressure;
  std::string label, before;
};

__attribute__((noinline)) static void explain(Model &model, int step) {
  std::strcpy(model.reason,
              step % 2 ? "limited by the user, as far as is known" : "limited by nothing");
  model.before = model.label;
  model.label = std::string(model.reason);
  model.label += step % 3 ? ", again" : ", and that is all that there is to say";
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  const std::string program(argv[0]);
  Model *model = new Model;
  model->density = new double[N]();
  model->pressure = new double[N]();
  double total = 0;
  for (int step = 0; step < 5 * STEPS; ++step) {
    // EXPECT-SKIP: not frail
    for (int i = 0; i < N; ++i)
      model->density[i] = 0.5 * model->pressure[i] + total * noise(i, step, rank);
    // EXPECT-SKIP: not frail
    for (int i = 0; i < N; ++i)
      model->pressure[i] += model->density[i] * model->density[i];
    explain(*model, step);
    if (rank == 0 && program.size() > 1)
      std::cout << model->label << " " << model->before << "\n";
    MPI_Allreduce(&model->pressure[7], &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    sendAround(20);
  }
  delete[] model->density;
  delete[] model->pressure;
  delete model;
  MPI_Finalize();
}
