// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What users can see of collectives: the list of algorithms (`gnomon run --list-coll`) and whether
/// a platform's choice of one is good (`gnomon check`), both for the driver, which asks the library
/// that runs; and the messages of a run's collectives (`--coll-messages`).
#include "coll/Messages.h"
#include "coll/Selection.h"
#include "launch/Report.h"
#include "launch/Setup.h"
#include "mpi/comm/Comm.h"
#include "process/ranks/Rank.h"
#include "support/Error.h"

#include <fmt/format.h>
#include <string>
#include <vector>

namespace gnomon::launch {

namespace {

struct Sent {
  uint32_t dest;
  int64_t bytes;
};
/// By sender, in the order in which they were sent.
std::vector<std::vector<Sent>> sent;

void witness(const mpi::Comm &comm, int dest, int64_t bytes) {
  const size_t sender = comm.owner().number;
  if (sender >= sent.size())
    sent.resize(sender + 1);
  sent[sender].push_back({comm.process(dest), bytes});
}

} // namespace

void watchCollectives(const Options &options) {
  if (!options.collMessages.empty())
    coll::messageWitness = witness;
}

std::string collectiveMessages(bool complete) {
  const std::string note = complete ? "" : " INCOMPLETE";
  std::string text = "# messages of collectives: sender receiver bytes" + note + "\n";
  for (size_t sender = 0; sender < sent.size(); ++sender)
    for (const Sent &message : sent[sender])
      text += fmt::format("{} {} {}\n", sender, message.dest, message.bytes);
  return text;
}

} // namespace gnomon::launch

/// The algorithms of \p collective, of all if it is empty; \p known says whether there is such a
/// collective, else the text is the error.
extern "C" __attribute__((visibility("default"))) const char *
gnomon_describe_collectives(const char *collective, int *known) {
  static std::string text;
  try {
    text = gnomon::coll::describe(collective);
    *known = 1;
  } catch (const gnomon::InputError &error) {
    text = error.what();
    *known = 0;
  }
  return text.c_str();
}

/// What is wrong with \p algorithm as a choice for \p collective; empty: nothing. \p known says
/// whether there is such a collective.
extern "C" __attribute__((visibility("default"))) const char *
gnomon_check_algorithm(const char *collective, const char *algorithm, int *known) {
  static std::string text;
  text.clear();
  *known = gnomon::launch::isCollective(collective);
  try {
    if (*known)
      gnomon::coll::force(collective, algorithm, "");
  } catch (const gnomon::InputError &error) {
    text = error.what();
  }
  return text.c_str();
}
