// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/user/UserModel.h"

#include "support/Check.h"
#include "support/Error.h"

#include <cmath>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>

namespace gnomon::models {

using platform::HostIndex;

namespace {

using Create = network::Model *(network::Context &);

[[noreturn]] void refuse(const std::string &library, const std::string &text) {
  throw InputError("--network=" + library, 0, text);
}

/// The function \p name of the library.
template <class Function> Function *symbol(void *handle, const char *name) {
  return reinterpret_cast<Function *>(dlsym(handle, name));
}

/// Opens the library and checks that it is a model of this version of the interface.
Create &load(const std::string &library) {
  std::error_code error;
  const bool isPath = library.find('/') != std::string::npos;
  if (isPath && !std::filesystem::exists(library, error))
    refuse(library, "there is no such file");
  // Never closed: the model's code may stand on a stack until the process ends.
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *reason = dlerror();
    refuse(library,
           fmt::format("cannot be loaded: {}{}", reason ? reason : "unknown reason",
                       isPath ? "" : "; write ./" + library + " for a file of this directory"));
  }
  auto *version = symbol<unsigned()>(handle, "gnomon_network_abi");
  auto *create = symbol<Create>(handle, "gnomon_network_create");
  if (!version || !create)
    refuse(library, "is not a network model: it has no function " +
                        std::string(version ? "gnomon_network_create" : "gnomon_network_abi") +
                        "; write GNOMON_NETWORK_MODEL(Class) in it (gnomon/Network.h)");
  if (unsigned built = version(); built != GNOMON_NETWORK_ABI)
    refuse(library,
           fmt::format("was built for version {} of gnomon/Network.h, this Gnomon has version {}; "
                       "build it again with -I$(gnomon --prefix)/include/gnomon",
                       built, GNOMON_NETWORK_ABI));
  return *create;
}

/// Runs \p call; the text of what it threw, or nothing. The exception is gone when this returns:
/// the fiber may be left for good then.
template <class Call> std::string thrownBy(Call call) {
  try {
    call();
    return {};
  } catch (const std::exception &error) {
    return error.what()[0] ? error.what() : "an exception without a text";
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

} // namespace

bool namesSharedObject(std::string_view network) {
  return network.find('/') != std::string_view::npos || network.ends_with(".so");
}

UserModel::UserModel(kernel::Engine &engine, const platform::Platform &platform,
                     const Parameters &parameters)
    : engine_(engine), platform_(platform), library_(parameters.userLibrary),
      parameters_(parameters.userSettings), figures_(engine, platform, parameters),
      context_{*this, parameters_, *this} {
  Create &create = load(library_);
  try {
    model_.reset(create(context_));
  } catch (const InputError &) {
    throw; // a value of the user's, with its key
  } catch (const std::exception &error) {
    refuse(library_, std::string("the model cannot be made: ") + error.what());
  } catch (...) {
    refuse(library_, "the model cannot be made: an exception that is no std::exception");
  }
  if (!model_)
    refuse(library_, "gnomon_network_create gave no model");
  parameters_.refuseUnknown();
}

template <class Call> void UserModel::guarded(const char *function, Call call) const {
  std::string why = thrownBy(call);
  if (why.empty())
    return;
  why = "the network model " + library_ + " failed in " + function + ": " + why;
  if (broken_)
    broken_(why);
  CHECK(false, why.c_str());
}

void UserModel::transfer(HostIndex source, HostIndex destination, uint64_t bytes,
                         kernel::Action done) {
  uint32_t index;
  if (freeSlots_.empty()) {
    index = static_cast<uint32_t>(slots_.size());
    slots_.emplace_back();
  } else {
    index = freeSlots_.back();
    freeSlots_.pop_back();
  }
  // The upper half of an id tells the messages of a slot apart.
  const uint64_t id = index | ((slots_[index].message.id >> 32) + 1) << 32;
  slots_[index] = {done, {id, source, destination, bytes}, 0, true};
  const network::Message message = slots_[index].message;
  wakesInVain_ = 0;
  ++undated_;
  engine_.hold(); // until the message has a date, wakings alone keep the run going
  guarded("start", [&] { model_->start(message); });
}

void UserModel::arrive(uint64_t id, double date) {
  const auto index = static_cast<uint32_t>(id);
  if (index >= slots_.size() || !slots_[index].underWay || slots_[index].message.id != id)
    throw std::invalid_argument(fmt::format("arrive(): no message under way has the id {}", id));
  checkDate("arrive", date);
  Slot &slot = slots_[index];
  wakesInVain_ = 0;
  if (slot.event) {
    engine_.reschedule(slot.event, {date});
    return;
  }
  slot.event = engine_.at({date}, kernel::Action::of<&UserModel::onArrival>(this, index));
  --undated_;
  engine_.release();
}

void UserModel::wake(double date, uint64_t argument) {
  checkDate("wake", date);
  // In the background: a model that always wakes itself does not keep a run going that has ended.
  engine_.inBackground({date}, kernel::Action::of<&UserModel::onWake>(this, argument));
}

void UserModel::checkDate(const char *function, double date) const {
  if (!std::isfinite(date) || date < now())
    throw std::invalid_argument(fmt::format(
        "{}(): the date {:f} s is not a date from now on, which is {:f} s", function, date, now()));
}

void UserModel::onArrival(uint64_t index) {
  Slot &slot = slots_[index];
  const network::Message message = slot.message;
  const kernel::Action done = slot.done;
  slot.underWay = false;
  freeSlots_.push_back(static_cast<uint32_t>(index));
  guarded("arrived", [&] { model_->arrived(message); });
  done();
}

void UserModel::onWake(uint64_t argument) {
  constexpr uint64_t MostWakesInVain = 10'000'000;
  guarded("woken", [&] {
    if (undated_ == 0 && engine_.now() != lastWake_)
      wakesInVain_ = 0; // time passes, and ranks compute
    lastWake_ = engine_.now();
    if (++wakesInVain_ > MostWakesInVain)
      throw std::runtime_error(fmt::format(
          "it was woken {} times and no message started or was given a date", MostWakesInVain));
    model_->woken(argument);
  });
}

bool UserModel::times(std::string_view collective) const {
  bool answer = false;
  guarded("times", [&] { answer = model_->times(std::string(collective).c_str()); });
  return answer;
}

double UserModel::seconds(const CollectiveCall &call) {
  const std::string name(call.name);
  double answer = 0;
  guarded("seconds", [&] {
    answer = model_->seconds(
        {name.c_str(), call.hosts.data(), static_cast<uint32_t>(call.hosts.size()), call.bytes});
    if (!std::isfinite(answer) || answer < 0)
      throw std::invalid_argument(fmt::format("{:f} s is no duration", answer));
  });
  return answer;
}

namespace {

/// A number that foreign code gave.
uint32_t checked(const char *what, uint32_t number, size_t count) {
  if (number >= count)
    throw std::out_of_range(fmt::format("there is no {} {}: there are {}", what, number, count));
  return number;
}

/// The names of \p things, written into \p texts the first time: foreign code gets pointers.
template <class Thing>
const std::vector<std::string> &names(std::span<const Thing> things,
                                      std::vector<std::string> &texts) {
  if (texts.empty())
    for (const Thing &thing : things)
      texts.push_back(thing.name);
  return texts;
}

} // namespace

uint32_t UserModel::hostCount() const { return static_cast<uint32_t>(platform_.hosts().size()); }
uint32_t UserModel::linkCount() const { return static_cast<uint32_t>(platform_.links().size()); }

const char *UserModel::hostName(uint32_t host) const {
  checked("host", host, hostCount());
  return names(platform_.hosts(), hostNames_)[host].c_str();
}

network::Link UserModel::link(uint32_t index) const {
  const platform::Link &link = platform_.links()[checked("link", index, linkCount())];
  return {names(platform_.links(), linkNames_)[index].c_str(), link.bandwidth, link.latencySeconds,
          link.sharing == platform::Sharing::FatPipe};
}

network::Route UserModel::route(uint32_t source, uint32_t destination) {
  platform_.route(checked("host", source, hostCount()), checked("host", destination, hostCount()),
                  route_);
  const RouteTable::Figures &figures = figures_.find(source, destination);
  return {route_.links.data(), route_.links.size(), figures.latencySeconds, figures.bandwidth};
}

} // namespace gnomon::models
