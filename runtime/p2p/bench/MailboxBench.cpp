// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cost of matching one message, against the number of pending ones (the argument), which must not
/// matter.
#include "p2p/Mailbox.h"

#include <benchmark/benchmark.h>

#include <vector>

namespace gnomon::p2p {
namespace {

// Receives are posted, messages arrive in the same order.
void expected(benchmark::State &state) {
  auto pending = static_cast<size_t>(state.range(0));
  std::vector<Message> messages(pending);
  std::vector<Receive> receives(pending);
  Mailbox mailbox;
  for (auto _ : state) {
    for (size_t i = 0; i < pending; ++i) {
      receives[i].pattern = {0, static_cast<int32_t>(i % 1024), static_cast<int32_t>(i / 1024)};
      mailbox.post(receives[i]);
    }
    for (size_t i = 0; i < pending; ++i) {
      messages[i].envelope = receives[i].pattern;
      benchmark::DoNotOptimize(mailbox.arrive(messages[i]));
    }
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(expected)->Arg(1)->Arg(100)->Arg(100000);

// Messages arrive first and are taken in the opposite order, every tenth by a wildcard.
void unexpected(benchmark::State &state) {
  auto pending = static_cast<size_t>(state.range(0));
  std::vector<Message> messages(pending);
  Mailbox mailbox;
  for (auto _ : state) {
    for (size_t i = 0; i < pending; ++i) {
      messages[i].envelope = {0, static_cast<int32_t>(i % 1024), static_cast<int32_t>(i / 1024)};
      mailbox.arrive(messages[i]);
    }
    for (size_t i = pending; i-- > 0;) {
      Receive receive;
      receive.pattern = i % 10 ? messages[i].envelope : Envelope{0, AnySource, AnyTag};
      Message *message = mailbox.post(receive);
      benchmark::DoNotOptimize(message);
      if (!message)
        mailbox.remove(receive); // a wildcard took this one's message
    }
    while (Message *rest = mailbox.probe({0, AnySource, AnyTag}))
      mailbox.remove(*rest);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(unexpected)->Arg(1)->Arg(100)->Arg(100000);

} // namespace
} // namespace gnomon::p2p
