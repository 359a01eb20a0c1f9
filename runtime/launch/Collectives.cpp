// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What users can see of collectives: the list of algorithms (`gnomon run --list-coll`: the driver
/// asks the library, so that it is the one that runs), and the messages of a run's collectives
/// (`--coll-messages`).
#include "coll/Messages.h"
#include "coll/Selection.h"
#include "launch/Report.h"
#include "mpi/comm/Comm.h"
#include "process/Rank.h"
#include "support/Error.h"

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
  if (!options.text("coll-messages").empty())
    coll::messageWitness = witness;
}

std::string collectiveMessages(bool complete) {
  const std::string note = complete ? "" : " INCOMPLETE";
  std::string text = "# messages of collectives: sender receiver bytes" + note + "\n";
  for (size_t sender = 0; sender < sent.size(); ++sender)
    for (const Sent &message : sent[sender])
      text += std::to_string(sender) + " " + std::to_string(message.dest) + " " +
              std::to_string(message.bytes) + "\n";
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
