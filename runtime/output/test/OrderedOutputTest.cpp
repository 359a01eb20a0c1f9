// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output/OrderedOutput.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace gnomon;
using namespace gnomon::output;

namespace {

struct File {
  int descriptor = memfd_create("output", 0);
  ~File() { close(descriptor); }
  std::string text() const {
    char buffer[4096];
    ssize_t got = pread(descriptor, buffer, sizeof buffer, 0);
    return std::string(buffer, got > 0 ? static_cast<size_t>(got) : 0);
  }
};

// Intent: a line dated later waits for one dated earlier that is written after it.
TEST(OrderedOutput, LinesComeInOrderOfSimulatedDate) {
  kernel::Engine engine;
  File file;
  OrderedOutput output(engine, file.descriptor, file.descriptor);
  output.write({5}, 1, "at five\n");
  output.write({1}, 1, "at one\n");
  output.write({5}, 1, "at five, too\n");
  output.write({0}, 1, "now\n");
  engine.run();
  output.flushAll();
  EXPECT_EQ(file.text(), "now\nat one\nat five\nat five, too\n");
}

// Intent: a line comes out when its date is reached, not only when another is written.
TEST(OrderedOutput, HeldLinesAreReleasedByTheirDate) {
  kernel::Engine engine;
  File file;
  OrderedOutput output(engine, file.descriptor, file.descriptor);
  output.write({1}, 1, "at one\n");
  output.flushDue();
  EXPECT_EQ(file.text(), "");
  engine.run();
  output.flushDue();
  EXPECT_EQ(file.text(), "at one\n");
}

// Intent: standard output and error keep their order when they go to one place.
TEST(OrderedOutput, BothStreamsKeepOneOrder) {
  kernel::Engine engine;
  File file;
  OrderedOutput output(engine, file.descriptor, file.descriptor);
  output.write({0}, 1, "out 1\n");
  output.write({0}, 2, "err 1\n");
  output.write({0}, 1, "out 2\n");
  output.flushAll();
  EXPECT_EQ(file.text(), "out 1\nerr 1\nout 2\n");
}

// Intent: a full disk is noticed.
TEST(OrderedOutput, FailedWritesAreReported) {
  kernel::Engine engine;
  int full = open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  File file;
  OrderedOutput output(engine, full, file.descriptor);
  // /dev/full is a character device, so every line is written at once; flushAll only records.
  output.flushAll();
  EXPECT_EQ(output.error(), "");
  output.write({1}, 1, "lost\n");
  output.flushAll();
  EXPECT_NE(output.error().find("No space left"), std::string::npos);
  close(full);
}

} // namespace
