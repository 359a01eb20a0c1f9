// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hydrodynamics code's communication: a box of cells per rank, values exchanged with all 26
// neighbours (faces, edges, corners), then a global minimum that decides the next step. Rank 0
// repeats the whole box serially.
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <mpi.h>
#include <vector>

namespace {

constexpr int edge = 3; // cells of a rank along each axis
constexpr int halo = edge + 2;
constexpr int steps = 3;
constexpr long modulus = 1000003;

struct Grid {
  std::array<int, 3> ranks{0, 0, 0};
  std::array<int, 3> me{};
};
Grid grid; // one per rank

using Box = std::vector<long>;

int at(int x, int y, int z, int n) { return (x * n + y) * n + z; }

long initial(int x, int y, int z) { return (x * 31L + y * 17L + z * 7L + 1) % modulus; }

// The sum of the 27 cells around each inner cell; outside the whole box cells are 0.
long stencil(const Box &box, int x, int y, int z, int n, int scale) {
  long sum = 0;
  for (int dx = -1; dx <= 1; ++dx)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dz = -1; dz <= 1; ++dz)
        sum += box[at(x + dx, y + dy, z + dz, n)];
  return sum * scale % modulus;
}

class Domain {
public:
  Domain() : box_(halo * halo * halo) {
    for (int x = 1; x <= edge; ++x)
      for (int y = 1; y <= edge; ++y)
        for (int z = 1; z <= edge; ++z)
          box_[at(x, y, z, halo)] = initial(grid.me[0] * edge + x - 1, grid.me[1] * edge + y - 1,
                                            grid.me[2] * edge + z - 1);
  }

  void exchange(MPI_Comm comm) {
    std::vector<MPI_Request> requests;
    std::map<int, Box> in, out; // by direction
    for (int direction = 0; direction < 27; ++direction) {
      const int neighbour = neighbourAt(direction, comm);
      if (neighbour == MPI_PROC_NULL || direction == 13)
        continue;
      out[direction] = cells(direction, true);
      in[direction].resize(out[direction].size());
      // What I receive from a direction, the neighbour sent to the opposite one.
      post(MPI_Irecv, in[direction], neighbour, 26 - direction, comm, requests);
      post(MPI_Isend, out[direction], neighbour, direction, comm, requests);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (const auto &[direction, values] : in)
      store(direction, values);
  }

  long step(int scale) {
    Box next = box_;
    long least = modulus;
    for (int x = 1; x <= edge; ++x)
      for (int y = 1; y <= edge; ++y)
        for (int z = 1; z <= edge; ++z)
          least = std::min(least, next[at(x, y, z, halo)] = stencil(box_, x, y, z, halo, scale));
    box_ = next;
    return least;
  }

  long checksum() const {
    long sum = 0;
    for (int x = 1; x <= edge; ++x)
      for (int y = 1; y <= edge; ++y)
        for (int z = 1; z <= edge; ++z)
          sum += box_[at(x, y, z, halo)] * (1 + (grid.me[0] * edge + x) % 5);
    return sum;
  }

private:
  template <typename Call, typename Values>
  static void post(Call call, Values &values, int neighbour, int tag, MPI_Comm comm,
                   std::vector<MPI_Request> &requests) {
    requests.emplace_back();
    call(values.data(), static_cast<int>(values.size()), MPI_LONG, neighbour, tag, comm,
         &requests.back());
  }

  static int neighbourAt(int direction, MPI_Comm comm) {
    const int offset[3] = {direction / 9 - 1, direction / 3 % 3 - 1, direction % 3 - 1};
    int where[3], neighbour;
    for (int axis = 0; axis < 3; ++axis) {
      where[axis] = grid.me[axis] + offset[axis];
      if (where[axis] < 0 || where[axis] >= grid.ranks[axis])
        return MPI_PROC_NULL;
    }
    MPI_Cart_rank(comm, where, &neighbour);
    return neighbour;
  }

  // Visits the cells that touch the neighbour in that direction: mine, or the halo that holds the
  // neighbour's.
  template <typename Visit> static void visit(int direction, bool mine, Visit visitCell) {
    int low[3], high[3];
    const int offset[3] = {direction / 9 - 1, direction / 3 % 3 - 1, direction % 3 - 1};
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = offset[axis] > 0 ? edge + !mine : offset[axis] < 0 ? static_cast<int>(mine) : 1;
      high[axis] = offset[axis] == 0 ? edge : low[axis];
    }
    for (int x = low[0]; x <= high[0]; ++x)
      for (int y = low[1]; y <= high[1]; ++y)
        for (int z = low[2]; z <= high[2]; ++z)
          visitCell(at(x, y, z, halo));
  }

  Box cells(int direction, bool mine) const {
    Box values;
    visit(direction, mine, [&](int cell) { values.push_back(box_[cell]); });
    return values;
  }

  void store(int direction, const Box &values) {
    size_t next = 0;
    visit(direction, false, [&](int cell) { box_[cell] = values[next++]; });
  }

  Box box_;
};

// The same on one large box with a rim of zeros (its sides may differ: indexed by hand).
long serialChecksum() {
  const int nx = grid.ranks[0] * edge, ny = grid.ranks[1] * edge, nz = grid.ranks[2] * edge;
  const int n = std::max({nx, ny, nz}) + 2;
  Box box(static_cast<size_t>(n) * n * n), next = box;
  auto each = [&](auto visitCell) {
    for (int x = 1; x <= nx; ++x)
      for (int y = 1; y <= ny; ++y)
        for (int z = 1; z <= nz; ++z)
          visitCell(x, y, z);
  };
  each([&](int x, int y, int z) { box[at(x, y, z, n)] = initial(x - 1, y - 1, z - 1); });
  long least = 1, sum = 0;
  for (int step = 0; step < steps; ++step) {
    const int scale = 1 + static_cast<int>(least % 3);
    least = modulus;
    each([&](int x, int y, int z) {
      least = std::min(least, next[at(x, y, z, n)] = stencil(box, x, y, z, n, scale));
    });
    box = next;
  }
  each([&](int x, int y, int z) { sum += box[at(x, y, z, n)] * (1 + x % 5); });
  return sum;
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int size, rank;
  const int periodic[3] = {0, 0, 0};
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 3, grid.ranks.data());
  MPI_Comm comm;
  MPI_Cart_create(MPI_COMM_WORLD, 3, grid.ranks.data(), periodic, 0, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Cart_coords(comm, rank, 3, grid.me.data());

  const auto domain = std::make_unique<Domain>();
  long least = 1;
  for (int step = 0; step < steps; ++step) {
    domain->exchange(comm);
    long mine = domain->step(1 + static_cast<int>(least % 3));
    MPI_Allreduce(&mine, &least, 1, MPI_LONG, MPI_MIN, comm);
  }
  long mine = domain->checksum(), all = 0;
  MPI_Reduce(&mine, &all, 1, MPI_LONG, MPI_SUM, 0, comm);
  if (rank == 0)
    std::printf("halo3d %dx%dx%d: checksum %ld: %s\n", grid.ranks[0], grid.ranks[1], grid.ranks[2],
                all, all == serialChecksum() ? "PASSED" : "FAILED");
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
