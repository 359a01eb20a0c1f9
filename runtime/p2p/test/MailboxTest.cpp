// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tests of matching.
#include "p2p/Mailbox.h"

#include <gtest/gtest.h>

#include <list>
#include <memory>
#include <random>
#include <vector>

namespace gnomon::p2p {
namespace {

/// The standard's words, one list each, searched from the front.
class NaiveMatcher {
public:
  Receive *arrive(Message &message) {
    for (auto at = posted_.begin(); at != posted_.end(); ++at)
      if ((*at)->pattern.accepts(message.envelope)) {
        Receive *found = *at;
        posted_.erase(at);
        return found;
      }
    unexpected_.push_back(&message);
    return nullptr;
  }
  Message *probe(const Envelope &pattern) {
    for (Message *message : unexpected_)
      if (pattern.accepts(message->envelope))
        return message;
    return nullptr;
  }
  Message *post(Receive &receive) {
    Message *found = probe(receive.pattern);
    if (found)
      unexpected_.remove(found);
    else
      posted_.push_back(&receive);
    return found;
  }
  std::list<Message *> unexpected_;
  std::list<Receive *> posted_;
};

Envelope randomEnvelope(std::mt19937 &random, bool wildcards, int variety) {
  Envelope e{static_cast<uint32_t>(random() % 2), static_cast<int32_t>(random() % variety),
             static_cast<int32_t>(random() % variety)};
  if (wildcards && random() % 4 == 0)
    e.source = AnySource;
  if (wildcards && random() % 4 == 0)
    e.tag = AnyTag;
  return e;
}

struct Case {
  unsigned seed;
  int variety;
  /// Operations before which no wildcard occurs: the wildcard queues are made late then.
  int wildcardsFrom;
};

class MailboxAgainstNaive : public testing::TestWithParam<Case> {};

// Intent: any sequence of arrivals, receives, probes and removals is matched as by the linear
// search that MPI describes.
TEST_P(MailboxAgainstNaive, MatchesTheSame) {
  auto [seed, variety, wildcardsFrom] = GetParam();
  std::mt19937 random(seed);
  Mailbox mailbox;
  NaiveMatcher naive;
  std::vector<std::unique_ptr<Message>> messages;
  std::vector<std::unique_ptr<Receive>> receives;
  for (int step = 0; step < 20000; ++step) {
    bool wildcards = step >= wildcardsFrom;
    // Slow swings between more messages and more receives, so that both lists grow and drain.
    bool manyMessages = (step / 700) % 2;
    unsigned choice = random() % 10;
    if (choice < (manyMessages ? 6u : 3u)) {
      auto &m = *messages.emplace_back(std::make_unique<Message>());
      m.envelope = randomEnvelope(random, false, variety);
      Receive *taken = step % 3 ? mailbox.takeFirst(m.envelope) : nullptr;
      ASSERT_EQ(taken ? taken : mailbox.arrive(m), naive.arrive(m)) << "step " << step;
    } else if (choice < 8) {
      auto &r = *receives.emplace_back(std::make_unique<Receive>());
      r.pattern = randomEnvelope(random, wildcards, variety);
      ASSERT_EQ(mailbox.post(r), naive.post(r)) << "step " << step;
    } else if (choice == 8) {
      Envelope pattern = randomEnvelope(random, wildcards, variety);
      ASSERT_EQ(mailbox.probe(pattern), naive.probe(pattern)) << "step " << step;
    } else if (random() % 2 && !naive.unexpected_.empty()) {
      auto at = std::next(naive.unexpected_.begin(),
                          static_cast<long>(random() % naive.unexpected_.size()));
      mailbox.remove(**at);
      naive.unexpected_.erase(at);
    } else if (!naive.posted_.empty()) {
      auto at =
          std::next(naive.posted_.begin(), static_cast<long>(random() % naive.posted_.size()));
      mailbox.remove(**at);
      naive.posted_.erase(at);
    }
    ASSERT_EQ(mailbox.unexpectedCount(), naive.unexpected_.size());
    ASSERT_EQ(mailbox.postedCount(), naive.posted_.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, MailboxAgainstNaive,
                         testing::Values(Case{1, 3, 0}, Case{2, 10, 0}, Case{3, 100, 0},
                                         Case{4, 3, 10000}, Case{5, 10, 5000}, Case{6, 1000, 3000},
                                         Case{7, 1, 0}, Case{8, 2, 20000}));

// Intent: patterns that come once each do not make the table grow without end.
TEST(Mailbox, ForgetsEmptiedQueues) {
  Mailbox mailbox;
  for (int tag = 0; tag < 100000; ++tag) {
    Message m;
    m.envelope = {0, 1, tag};
    Receive r;
    r.pattern = m.envelope;
    ASSERT_EQ(mailbox.post(r), nullptr);
    ASSERT_EQ(mailbox.arrive(m), &r);
  }
  EXPECT_LE(mailbox.capacity(), 64u);
}

/// Posts \p count receives of as many patterns, and lets their messages arrive.
void postAndTakeAll(Mailbox &mailbox, int count) {
  std::vector<Receive> receives(static_cast<size_t>(count));
  for (int tag = 0; tag < count; ++tag) {
    receives[static_cast<size_t>(tag)].pattern = {0, 1, tag};
    ASSERT_EQ(mailbox.post(receives[static_cast<size_t>(tag)]), nullptr);
  }
  for (int tag = 0; tag < count; ++tag) {
    Message m;
    m.envelope = {0, 1, tag};
    ASSERT_EQ(mailbox.arrive(m), &receives[static_cast<size_t>(tag)]);
  }
}

// Intent: a table that was large once (a root that hears of everybody) is not kept when nothing is
// pending any more; one of usual size is.
TEST(Mailbox, GivesALargeTableBack) {
  Mailbox mailbox;
  postAndTakeAll(mailbox, 1000);
  EXPECT_GE(mailbox.capacity(), 1000u);
  postAndTakeAll(mailbox, 100000);
  EXPECT_EQ(mailbox.capacity(), 0u);
  postAndTakeAll(mailbox, 1000);
  EXPECT_GE(mailbox.capacity(), 1000u);
}

} // namespace
} // namespace gnomon::p2p
