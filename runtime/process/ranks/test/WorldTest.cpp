// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fakes.h"

#include "kernel/StackPool.h"
#include "process/image/Image.h"
#include "support/Error.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <iostream>
#include <map>

using namespace gnomon;
using namespace gnomon::process;
using namespace gnomon::process::test;

namespace {

void simulateSeconds(double seconds) {
  Rank &rank = *currentRank();
  enterRuntime(rank);
  world().engine.sleep(seconds);
  leaveRuntime(rank);
}

long seen[4];

// Intent: each rank has its own copy of a global, from the same initial value.
TEST(World, GlobalsArePerRank) {
  Program::use([](int, char **, char **) {
    Program::at(Program::section.counter) += currentRank()->number;
    simulateSeconds(1);
    Program::at(Program::section.counter) += 100;
    simulateSeconds(1);
    seen[currentRank()->number] = Program::at(Program::section.counter);
    return 0;
  });
  Machine machine(2);
  Outcome outcome = runRanks(machine.create(3));
  EXPECT_EQ(outcome.kind, Outcome::Kind::Finished);
  for (long rank = 0; rank < 3; ++rank)
    EXPECT_EQ(seen[rank], 105 + rank);
  EXPECT_EQ(Program::section.counter, 5);
}

// Intent: a pointer in an initialiser points into the rank's own copy.
TEST(World, PointersInInitialisersAreRelocated) {
  Program::use([](int, char **, char **) {
    *Program::at(Program::section.pointer) = 7 + currentRank()->number;
    simulateSeconds(1);
    seen[currentRank()->number] = Program::at(Program::section.counter);
    return 0;
  });
  Machine machine(1);
  runRanks(machine.create(2));
  EXPECT_EQ(seen[0], 7);
  EXPECT_EQ(seen[1], 8);
}

// Intent: where stacks have no guard, that is said at the start; a rank that has left its stack is
// found out when it leaves the processor, with what its stack has and what to ask for.
TEST(WorldDeathTest, OverflowsOfUnguardedStacksAreFoundAtSwitches) {
  auto overflow = [] {
    Program::use([](int, char **, char **) {
      if (currentRank()->number == 1)
        std::memset(currentRank()->fiber->stack().low - 256, 1, 256);
      simulateSeconds(1);
      return 0;
    });
    Machine machine(1, false);
    runRanks(machine.create(2));
  };
  EXPECT_EXIT(overflow(), testing::ExitedWithCode(139),
              "^gnomon: note: the stacks of 2 of 2 ranks have no guard: .*\n"
              "gnomon: rank 1 at [01] s: stack overflow, found when another rank's turn came; a "
              "rank's stack has 256 KiB: "
              "run with --stack-size=1MiB\n");
}

// Intent: one rank alone uses the sections themselves.
TEST(World, OneRankUsesTheSectionItself) {
  Program::use([](int, char **, char **) {
    seen[0] = Program::delta;
    return 0;
  });
  Machine machine(1);
  runRanks(machine.create(1));
  EXPECT_EQ(seen[0], 0);
}

// Intent: errno, environ and argv are a rank's own across a switch.
TEST(World, SwitchKeepsErrnoAndArguments) {
  Program::use([](int, char **argv, char **) {
    Rank &rank = *currentRank();
    errno = 40 + static_cast<int>(rank.number);
    argv[1][0] = static_cast<char>('0' + rank.number);
    simulateSeconds(1);
    seen[rank.number] = errno * 1000 + argv[1][0];
    return 0;
  });
  Machine machine(1);
  runRanks(machine.create(3));
  for (long rank = 0; rank < 3; ++rank)
    EXPECT_EQ(seen[rank], (40 + rank) * 1000 + '0' + rank);
}

// Intent: the process's exit code is the first nonzero one by simulated time, not by rank.
TEST(World, FirstNonzeroExitBySimulatedTimeWins) {
  Program::use([](int, char **, char **) {
    uint32_t number = currentRank()->number;
    simulateSeconds(number == 0 ? 3 : number == 1 ? 2 : 1);
    return number == 2 ? 0 : 10 + static_cast<int>(number);
  });
  Machine machine(1);
  Outcome outcome = runRanks(machine.create(3));
  EXPECT_EQ(outcome.exitCode, 11);
  EXPECT_EQ(outcome.endedAt.seconds, 3);
}

// Intent: an exit code counts as a parent process would see it.
TEST(World, ExitCodeIsOneByte) {
  Program::use([](int, char **, char **) { return 256; });
  Machine machine(1);
  EXPECT_EQ(runRanks(machine.create(1)).exitCode, 0);
}

// Intent: ranks that wait for ever are reported as a deadlock.
TEST(World, DeadlockIsAnOutcome) {
  Program::use([](int, char **, char **) {
    if (currentRank()->number == 1)
      world().engine.park();
    return 0;
  });
  Machine machine(1);
  EXPECT_EQ(runRanks(machine.create(2)).kind, Outcome::Kind::Deadlock);
}

// Intent: abortWorld ends all ranks with the code given.
TEST(World, AbortEndsAllRanks) {
  Program::use([](int, char **, char **) -> int {
    simulateSeconds(1);
    if (currentRank()->number == 1)
      abortWorld(42, "");
    simulateSeconds(1);
    return 7;
  });
  Machine machine(1);
  Outcome outcome = runRanks(machine.create(2));
  EXPECT_EQ(outcome.kind, Outcome::Kind::Aborted);
  EXPECT_EQ(outcome.exitCode, 42);
  EXPECT_EQ(outcome.endedAt.seconds, 1);
}

// Intent: constructors run on each rank before main, destructors after it.
TEST(World, StructorsRunPerRank) {
  static std::string order;
  order.clear();
  static gnomon_structor constructor{
      [](int, char **, char **) { order += "c" + std::to_string(currentRank()->number); }, 65535,
      0};
  static gnomon_structor destructor{
      [](int, char **, char **) { order += "d" + std::to_string(currentRank()->number); }, 65535,
      0};
  Program::use([](int, char **, char **) {
    order += "m" + std::to_string(currentRank()->number);
    simulateSeconds(1);
    return 0;
  });
  Program::module.constructors = &constructor;
  Program::module.destructors = &destructor;
  Program::module.constructor_count = Program::module.destructor_count = 1;
  Machine machine(1);
  runRanks(machine.create(2));
  EXPECT_EQ(order, "c0m0c1m1d0d1");
}

// Intent: printf and std::cout of two ranks come out as each rank's own whole lines, dated.
TEST(World, OutputIsCapturedInLines) {
  Program::use([](int, char **, char **) {
    uint32_t number = currentRank()->number;
    printf("first half of %u, ", number);
    simulateSeconds(1 + number);
    std::cout << "second half of " << number << std::endl;
    printf("unfinished %u", number);
    return 0;
  });
  Machine machine(1);
  runRanks(machine.create(2));
  ASSERT_EQ(machine.sink.lines.size(), 4U);
  EXPECT_EQ(machine.sink.lines[0].text, "first half of 0, second half of 0\n");
  EXPECT_EQ(machine.sink.lines[0].date, 1);
  EXPECT_EQ(machine.sink.lines[1].text, "unfinished 0");
  EXPECT_EQ(machine.sink.lines[2].text, "first half of 1, second half of 1\n");
  EXPECT_EQ(machine.sink.lines[2].date, 2);
}

// Intent: a stream's format state is a rank's own.
TEST(World, StreamFormatIsPerRank) {
  Program::use([](int, char **, char **) {
    if (currentRank()->number == 0)
      std::cout << std::hex;
    simulateSeconds(1);
    std::cout << 255 << "\n";
    return 0;
  });
  Program::module.flags = GNOMON_MODULE_CXX_STREAMS;
  Machine machine(1);
  runRanks(machine.create(2));
  EXPECT_EQ(machine.sink.all(1), "ff\n255\n");
}

// Intent: a rank that silences std::cout silences itself alone.
TEST(World, StreamBufferIsPerRank) {
  Program::use([](int, char **, char **) {
    if (currentRank()->number != 0)
      std::cout.rdbuf(nullptr);
    simulateSeconds(1);
    std::cout << "from " << currentRank()->number << "\n";
    std::wcout << L"wide\n";
    return 0;
  });
  Program::module.flags = GNOMON_MODULE_CXX_STREAMS;
  Machine machine(1);
  std::streambuf *before = std::cout.rdbuf();
  runRanks(machine.create(2));
  EXPECT_EQ(machine.sink.all(1), "from 0\nwide\nwide\n");
  EXPECT_EQ(std::cout.rdbuf(), before);
}

bool always(const gnomon_module &, uint32_t) { return true; }

// Intent: ranks that come later begin with the initial values, whatever the only rank did to its
// globals, which are the section itself; and pointers between globals point into the copy of their
// own rank.
TEST(World, LateRanksBeginWithInitialValues) {
  struct Section {
    long counter = 5;
    long *pointer = nullptr;
  };
  alignas(64) static Section section;
  section.pointer = &section.counter;
  static intptr_t delta;
  static gnomon_relocation relocation{reinterpret_cast<char *>(&section.pointer), nullptr};
  static gnomon_module module;
  module = Program::module;
  module.private_begin = reinterpret_cast<char *>(&section);
  module.data_end = module.zero_begin = module.private_end = module.private_begin + sizeof section;
  module.delta = &delta;
  module.relocations = &relocation;
  module.relocation_count = 1;
  Images images;
  gnomon_module *one[] = {&module};
  images.build(one, 1, always);
  images.select(0);
  EXPECT_EQ(delta, 0);
  section.counter = 77;
  section.pointer = nullptr;
  for (uint32_t first : {1U, 3U}) { // ranks 1 and 2, then 3 and 4
    images.reserve(first, 2);
    images.fill(first, 2, always);
  }
  for (uint32_t rank = 1; rank < 5; ++rank) {
    images.select(rank);
    auto *copy = reinterpret_cast<Section *>(reinterpret_cast<char *>(&section) + delta);
    EXPECT_EQ(copy->counter, 5) << rank;
    EXPECT_EQ(copy->pointer, &copy->counter) << rank;
    copy->counter = 100 + rank;
  }
  images.select(0);
  EXPECT_EQ(delta, 0);
  EXPECT_EQ(section.counter, 77);
  images.select(2);
  EXPECT_EQ(*reinterpret_cast<long *>(reinterpret_cast<char *>(&section) + delta), 102);
}

// Intent: a global and a place on the stack are other distances apart, modulo 2 KiB, on all of 32
// ranks but for pairs of them, whatever the size of the globals: where a load waits for a store at such
// a distance, it does on one or two ranks and not on all of them. (Tops of stacks have 24 places.)
TEST(World, GlobalsAndStacksAreOtherDistancesApartOnNearlyEachRank) {
  constexpr size_t Alias = 2048;
  constexpr uint32_t Ranks = 32;
  alignas(64) static char section[16384];
  for (size_t bytes = 64; bytes <= sizeof section; bytes += 64) {
    static intptr_t delta;
    static gnomon_module module;
    module = Program::module;
    module.private_begin = section;
    module.data_end = module.zero_begin = module.private_end = section + bytes;
    module.delta = &delta;
    module.relocation_count = 0;
    module.import_count = 0;
    Images images;
    gnomon_module *one[] = {&module};
    images.build(one, Ranks, always);
    kernel::StackPool stacks({.bytes = 65536});
    std::map<size_t, int> ranksAt; // by distance
    int most = 0;
    for (uint32_t rank = 0; rank < Ranks; ++rank) {
      images.select(rank);
      const char *top = static_cast<char *>(stacks.allocate().high);
      most = std::max(most, ++ranksAt[static_cast<size_t>(section + delta - top) % Alias]);
    }
    EXPECT_LE(most, 2) << bytes;
  }
}

// Intent: a running rank starts others of its own program, with arguments, at the date of the call;
// they are numbered on and named by the world they belong to, and the run ends when they have ended
// too.
TEST(World, RanksStartOthers) {
  static std::vector<std::string> told;
  told.clear();
  Program::use([](int argc, char **argv, char **) {
    const Rank &rank = *currentRank();
    told.push_back(nameOf(rank) + " " + argv[argc - 1]);
    if (rank.job->number > 0) {
      simulateSeconds(2);
      return 0;
    }
    simulateSeconds(1);
    JobPart part;
    part.program = "/proc/self/exe";
    part.arguments = {"program", "late"};
    part.ranks = 2;
    startJob(addJob(rank, {part}));
    return 0;
  });
  Machine machine(2);
  World &world = machine.create(1);
  const Outcome outcome = runRanks(world);
  EXPECT_EQ(outcome.kind, Outcome::Kind::Finished);
  EXPECT_EQ(outcome.endedAt.seconds, 3);
  ASSERT_EQ(world.ranks.size(), 3U);
  ASSERT_EQ(told.size(), 3U);
  EXPECT_TRUE(told[0].starts_with("rank 0 ")) << told[0];
  EXPECT_EQ(told[1], "rank 1 (rank 0 of spawned world 1, program) late");
  EXPECT_EQ(told[2], "rank 2 (rank 1 of spawned world 1, program) late");
}

// Intent: a program that cannot run is told by name, and nothing is started.
TEST(World, ProgramsThatCannotRunAreRefused) {
  static std::string why;
  Program::use([](int, char **, char **) {
    JobPart part;
    part.ranks = 1;
    part.program = "/bin/true";
    try {
      addJob(*currentRank(), {part});
    } catch (const InputError &error) {
      why = error.what();
    }
    return 0;
  });
  Machine machine(1);
  World &world = machine.create(1);
  runRanks(world);
  EXPECT_EQ(world.ranks.size(), 1U);
  EXPECT_NE(why.find("cannot run '/bin/true': it was not built for simulation"), std::string::npos)
      << why;
}

// Intent: zeros of an initial image cost nothing: only what a rank touches is there.
TEST(World, UntouchedGlobalsCostNothing) {
  static Program::Section section;
  static intptr_t delta;
  static gnomon_module module;
  module = Program::module;
  module.private_begin = reinterpret_cast<char *>(&section);
  module.data_end = module.private_begin + 64;
  module.zero_begin = module.data_end;
  module.private_end = module.private_begin + (size_t{16} << 20); // never touched
  module.delta = &delta;
  module.relocation_count = 0;
  uint64_t before = peakResidentBytes();
  Images images;
  gnomon_module *one[] = {&module};
  images.build(one, 4096, always); // 64 GiB of address space
  EXPECT_LT(peakResidentBytes() - before, uint64_t{64} << 20);
  images.select(3);
  EXPECT_EQ(delta % 64, 0);
  EXPECT_EQ(*reinterpret_cast<long *>(reinterpret_cast<intptr_t>(&section.counter) + delta), 5);
}

// Intent: the copies of a small section share pages, and keep the section's alignment.
TEST(World, SmallCopiesSharePages) {
  alignas(256) static char section[300] = "initial";
  static intptr_t delta;
  static gnomon_module module;
  module = Program::module;
  module.private_begin = section;
  module.data_end = module.zero_begin = module.private_end = section + sizeof section;
  module.alignment = 256;
  module.delta = &delta;
  module.relocation_count = 0;
  constexpr uint32_t Ranks = 4096;
  Images images;
  gnomon_module *one[] = {&module};
  images.build(one, Ranks, always);
  images.select(0);
  intptr_t first = delta;
  images.select(Ranks - 1);
  EXPECT_LT(delta - first, intptr_t{Ranks} * 1024);
  EXPECT_EQ(first % 256, 0);
  EXPECT_EQ(delta % 256, 0);
}

// Intent: only rank 0 has the standard input.
TEST(World, OtherRanksReadEndOfFile) {
  Program::use([](int, char **, char **) {
    if (currentRank()->number == 1)
      seen[1] = getchar() == EOF && std::cin.get() == EOF;
    return 0;
  });
  Machine machine(1);
  runRanks(machine.create(2));
  EXPECT_EQ(seen[1], 1);
}

// Intent: measured bursts become simulated time, scaled by host speed / target speed.
TEST(World, BurstsTakeSimulatedTime) {
  const FakeThreadClock clock;
  Program::use([](int, char **, char **) {
    FakeThreadClock::seconds += 0.05;
    return 0;
  });
  Machine machine(1);
  machine.hostSpeedFlops = 3e9;
  Outcome outcome = runRanks(machine.create(1, ComputeMode::Measured));
  // Hosts of the platform make 1e9 flop/s.
  EXPECT_NEAR(outcome.endedAt.seconds, 3 * 0.05, 1e-12);
}

// Intent: a run that is ended in the middle of a computation has taken that computation's time, too.
TEST(World, AnEndAmidAComputationIsDated) {
  const FakeThreadClock clock;
  Program::use([](int, char **, char **) -> int {
    FakeThreadClock::seconds += 0.05;
    abortWorld(42, "");
    return 0;
  });
  Machine machine(1);
  machine.hostSpeedFlops = 3e9;
  Outcome outcome = runRanks(machine.create(2, ComputeMode::Measured));
  EXPECT_NEAR(outcome.endedAt.seconds, 3 * 0.05, 1e-12);
}

// Intent: the clock that bursts are measured by is the thread's, and goes on as it computes.
TEST(World, TheThreadsClockAdvances) {
  const double begin = threadCpuSeconds();
  double now = begin;
  while (now <= begin)
    now = threadCpuSeconds();
  EXPECT_GT(now, begin);
}

// Intent: a clock that is read again and again advances, also when computing is free.
TEST(World, ReadingAClockCostsTime) {
  Program::use([](int, char **, char **) {
    Rank &rank = *currentRank();
    double begin = readClock(rank);
    while (readClock(rank) < begin + 1e-3)
      continue;
    return 0;
  });
  Machine machine(1);
  Outcome outcome = runRanks(machine.create(1));
  EXPECT_NEAR(outcome.endedAt.seconds, 1e-3, 1e-4);
}

// Intent: an exception that one rank is handling is not seen by another.
TEST(World, ExceptionStateIsPerRank) {
  Program::use([](int, char **, char **) {
    uint32_t number = currentRank()->number;
    try {
      throw number;
    } catch (uint32_t) {
      simulateSeconds(number == 0 ? 2 : 1);
      try {
        throw;
      } catch (uint32_t again) {
        seen[number] = again;
      }
    }
    return 0;
  });
  seen[0] = seen[1] = -1;
  Machine machine(1);
  runRanks(machine.create(2));
  EXPECT_EQ(seen[0], 0);
  EXPECT_EQ(seen[1], 1);
}

} // namespace
