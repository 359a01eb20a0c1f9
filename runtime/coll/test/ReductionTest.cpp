// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: every algorithm that reduces gives the fold of the ranks' inputs in the order of ranks,
// also for ops that do not commute and types with gaps, for all numbers of ranks, roots, counts,
// MPI_IN_PLACE.
#include "coll/Algorithm.h"
#include "coll/test/Cluster.h"
#include "coll/test/TypedData.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <deque>

namespace gnomon::coll::test {
namespace {

const void *InPlace = reinterpret_cast<const void *>(uintptr_t{1});
using Words = std::array<unsigned, 2>;

/// x -> a x + b, composed: first the lower operand, then the higher. Associative, not commutative.
Words compose(Words lower, Words higher) {
  return {lower[0] * higher[0], higher[0] * lower[1] + higher[1]};
}
Words add(Words lower, Words higher) { return {lower[0] + higher[0], lower[1] + higher[1]}; }

/// Pair types know by their handle where their second word is, as a user's op would by its
/// datatype.
struct Layout {
  int64_t second, extent;
};
const Layout Dense{4, 8}, Gappy{8, 20};
const Layout &layoutOf(MPI_Datatype handle) {
  return reinterpret_cast<uintptr_t>(handle) == 0x5000 ? Dense : Gappy;
}

template <Words (*F)(Words, Words)>
void userFunction(void *in, void *inout, int *length, MPI_Datatype *type) {
  const Layout &layout = layoutOf(*type);
  for (int i = 0; i < *length; ++i) {
    auto *a = static_cast<char *>(in) + i * layout.extent,
         *b = static_cast<char *>(inout) + i * layout.extent;
    auto word = [&](char *p) { return reinterpret_cast<unsigned *>(p); };
    const Words result =
        F({*word(a), *word(a + layout.second)}, {*word(b), *word(b + layout.second)});
    *word(b) = result[0];
    *word(b + layout.second) = result[1];
  }
}

struct Variant {
  const char *name;
  const Datatype *type;
  const Op *op;
  Words (*fold)(Words, Words);
};

const std::vector<Variant> &variants() {
  static const std::vector<Variant> list = [] {
    const Datatype &word = Datatype::predefined(uintptr_t{0x20d}); // MPI_UNSIGNED
    Datatype *dense = Datatype::contiguous(2, word);
    dense->setHandle(reinterpret_cast<MPI_Datatype>(uintptr_t{0x5000}));
    Datatype *gappy = Datatype::resized(*Datatype::vector(2, 1, 2, word), 0, Gappy.extent);
    gappy->setHandle(reinterpret_cast<MPI_Datatype>(uintptr_t{0x5001}));
    Datatype *twoWords = Datatype::contiguous(2, word);
    twoWords->setHandle(reinterpret_cast<MPI_Datatype>(uintptr_t{0x5000}));
    return std::vector<Variant>{
        {"user sum", twoWords, Op::create(userFunction<add>, true), add},
        {"user sum, gaps", gappy, Op::create(userFunction<add>, true), add},
        {"composition", dense, Op::create(userFunction<compose>, false), compose},
        {"composition, gaps", gappy, Op::create(userFunction<compose>, false), compose},
    };
  }();
  return list;
}

Words input(int rank, int element) {
  const auto seed = static_cast<unsigned>(rank * 7919 + element * 31 + 1);
  return {seed * 2654435761u | 1, seed * 40503u + 7};
}

/// The fold of ranks [first, last], for elements [from, from + count), as a stream of ints.
std::vector<int> fold(const Variant &variant, int first, int last, int from, int count) {
  std::vector<int> values;
  for (int e = from; e < from + count; ++e) {
    Words result = input(first, e);
    for (int r = first + 1; r <= last; ++r)
      result = variant.fold(result, input(r, e));
    values.push_back(static_cast<int>(result[0]));
    values.push_back(static_cast<int>(result[1]));
  }
  return values;
}

int pickCount(Random &random) {
  const int choice = random.in(0, 9);
  return choice == 0 ? 1 : choice == 9 ? random.in(2000, 5000) : random.in(1, 70);
}

template <class Args, class Check> void forAll(Check check) {
  for (const Algorithm<Args> &algorithm : Collective<Args>::table())
    for (const Variant &variant : variants())
      for (int size : sizes())
        for (int trial = 0; trial < 4; ++trial) {
          Random random(static_cast<uint64_t>(size * 100 + trial));
          SCOPED_TRACE(
              fmt::format("{}, {}, {} ranks, trial {}", algorithm.name, variant.name, size, trial));
          check(algorithm, variant, random, size, networkOf(trial));
          if (::testing::Test::HasFailure())
            return;
        }
}

struct Ranks {
  std::deque<Buffer> send, recv, expected;
  void add(const Variant &variant, int rank, int count, bool inPlace) {
    send.emplace_back(*variant.type, 0, count);
    recv.emplace_back(*variant.type, 0, count);
    const auto own = fold(variant, rank, rank, 0, count);
    (inPlace ? recv : send).back().put(0, count, own.data());
    expected.push_back(recv.back());
  }
  void check() {
    for (size_t r = 0; r < recv.size(); ++r)
      ASSERT_TRUE(recv[r] == expected[r]) << "rank " << r;
  }
};

/// Runs an algorithm on `Args` made of ReductionArgs and what \p more appends; false when it
/// cannot.
template <class Args, class... More>
bool runReduction(Cluster &cluster, const Algorithm<Args> &algorithm, const Variant &variant,
                  Ranks &ranks, int count, bool inPlace, More... more) {
  bool able = true;
  EXPECT_TRUE(cluster.run([&](const Call &call) {
    const auto i = static_cast<size_t>(call.rank);
    const void *send = inPlace ? InPlace : ranks.send[i].data();
    const Args args{
        ReductionArgs{call, send, ranks.recv[i].data(), count, variant.type, variant.op}, more...};
    if (algorithm.can && !algorithm.can(args)) {
      able = false;
      return;
    }
    EXPECT_EQ(algorithm.run(args), 0);
  }));
  return able;
}

TEST(Reduction, Reduce) {
  forAll<ReduceArgs>(
      [](auto &algorithm, const Variant &variant, Random &random, int size, Network network) {
        Cluster cluster(size, network);
        const int count = pickCount(random), root = random.in(0, size - 1);
        const bool inPlace = random.in(0, 1);
        Ranks ranks;
        for (int r = 0; r < size; ++r)
          ranks.add(variant, r, count, inPlace && r == root);
        ranks.expected[static_cast<size_t>(root)].put(0, count,
                                                      fold(variant, 0, size - 1, 0, count).data());
        bool able = true;
        ASSERT_TRUE(cluster.run([&](const Call &call) {
          const auto i = static_cast<size_t>(call.rank);
          const bool atRoot = call.rank == root;
          const ReduceArgs args{{call, atRoot && inPlace ? InPlace : ranks.send[i].data(),
                                 atRoot ? ranks.recv[i].data() : nullptr, count, variant.type,
                                 variant.op},
                                root};
          if (algorithm.can && !algorithm.can(args)) {
            able = false;
            return;
          }
          EXPECT_EQ(algorithm.run(args), 0);
        }));
        if (able)
          ranks.check();
      });
}

TEST(Reduction, Allreduce) {
  forAll<AllreduceArgs>(
      [](auto &algorithm, const Variant &variant, Random &random, int size, Network network) {
        Cluster cluster(size, network);
        const int count = pickCount(random);
        const bool inPlace = random.in(0, 1);
        Ranks ranks;
        const auto result = fold(variant, 0, size - 1, 0, count);
        for (int r = 0; r < size; ++r) {
          ranks.add(variant, r, count, inPlace);
          ranks.expected.back().put(0, count, result.data());
        }
        if (runReduction(cluster, algorithm, variant, ranks, count, inPlace))
          ranks.check();
      });
}

TEST(Reduction, Scan) {
  forAll<ScanArgs>(
      [](auto &algorithm, const Variant &variant, Random &random, int size, Network network) {
        Cluster cluster(size, network);
        const int count = std::min(pickCount(random), 200);
        const bool inPlace = random.in(0, 1);
        Ranks ranks;
        for (int r = 0; r < size; ++r) {
          ranks.add(variant, r, count, inPlace);
          ranks.expected.back().put(0, count, fold(variant, 0, r, 0, count).data());
        }
        if (runReduction(cluster, algorithm, variant, ranks, count, inPlace))
          ranks.check();
      });
}

TEST(Reduction, Exscan) {
  forAll<ExscanArgs>(
      [](auto &algorithm, const Variant &variant, Random &random, int size, Network network) {
        Cluster cluster(size, network);
        const int count = std::min(pickCount(random), 200);
        const bool inPlace = random.in(0, 1);
        Ranks ranks;
        for (int r = 0; r < size; ++r) {
          ranks.add(variant, r, count, inPlace);
          if (r > 0) // rank 0's buffer stays as it is
            ranks.expected.back().put(0, count, fold(variant, 0, r - 1, 0, count).data());
        }
        if (runReduction(cluster, algorithm, variant, ranks, count, inPlace))
          ranks.check();
      });
}

template <class Args> void checkReduceScatter(bool equalBlocks) {
  forAll<Args>(
      [&](auto &algorithm, const Variant &variant, Random &random, int size, Network network) {
        Cluster cluster(size, network);
        const bool block = equalBlocks || random.in(0, 1), inPlace = random.in(0, 1);
        const int uniform = random.in(1, 9);
        std::vector<int> counts;
        int total = 0;
        for (int r = 0; r < size; ++r) {
          counts.push_back(block ? uniform : random.in(0, 6));
          total += counts.back();
        }
        Ranks ranks;
        for (int r = 0, from = 0; r < size; from += counts[static_cast<size_t>(r)], ++r) {
          const int own = counts[static_cast<size_t>(r)];
          ranks.add(variant, r, total, inPlace);
          ranks.expected.back().put(0, own, fold(variant, 0, size - 1, from, own).data());
        }
        bool able = true;
        ASSERT_TRUE(cluster.run([&](const Call &call) {
          const auto i = static_cast<size_t>(call.rank);
          const ReduceScatterArgs common{call,
                                         inPlace ? InPlace : ranks.send[i].data(),
                                         ranks.recv[i].data(),
                                         block ? nullptr : counts.data(),
                                         block ? uniform : 0,
                                         variant.type,
                                         variant.op};
          const Args args{common};
          if (algorithm.can && !algorithm.can(args)) {
            able = false;
            return;
          }
          EXPECT_EQ(algorithm.run(args), 0);
        }));
        if (able)
          ranks.check();
      });
}

TEST(Reduction, ReduceScatter) { checkReduceScatter<ReduceScatterArgs>(false); }
TEST(Reduction, ReduceScatterBlock) { checkReduceScatter<ReduceScatterBlockArgs>(true); }

} // namespace
} // namespace gnomon::coll::test
