// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "facts/ConstantField.h"

#include "facts/MpiRoles.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace gnomon {
namespace {

class Field {
public:
  Field(const DataLayout &layout, uint64_t offset, unsigned bytes)
      : layout_(layout), offset_(static_cast<int64_t>(offset)), bytes_(bytes) {}

  std::optional<int64_t> search(const GlobalVariable &global) {
    addresses_.insert({&global, 0});
    for (size_t next = 0; next < addresses_.size(); ++next) {
      auto [address, at] = addresses_[next];
      for (const Use &use : address->uses())
        if (!visit(use, at))
          return std::nullopt;
    }
    return value_;
  }

private:
  /// Whether \p size bytes at \p at touch the field.
  bool touches(int64_t at, uint64_t size) const {
    return at < offset_ + bytes_ && at + static_cast<int64_t>(size) > offset_;
  }
  bool follow(const Value &address, int64_t at) {
    addresses_.insert({&address, at});
    return true;
  }

  bool visit(const Use &use, int64_t at) {
    const User *user = use.getUser();
    if (isa<LoadInst, ICmpInst>(user))
      return true;
    if (const auto *gep = dyn_cast<GEPOperator>(user)) {
      APInt delta(64, 0);
      return gep->accumulateConstantOffset(layout_, delta) &&
             follow(*gep, at + delta.getSExtValue());
    }
    if (isa<PHINode, SelectInst, BitCastOperator, AddrSpaceCastOperator>(user))
      return follow(*user, at);
    if (const auto *store = dyn_cast<StoreInst>(user))
      return use.getOperandNo() == StoreInst::getPointerOperandIndex() && visitStore(*store, at);
    if (const auto *call = dyn_cast<CallBase>(user))
      return call->isArgOperand(&use) && visitCall(*call, call->getArgOperandNo(&use), at);
    return false;
  }

  bool visitStore(const StoreInst &store, int64_t at) {
    const uint64_t size = layout_.getTypeStoreSize(store.getValueOperand()->getType());
    if (!touches(at, size))
      return true;
    const auto *constant = dyn_cast<Constant>(store.getValueOperand());
    const std::optional<int64_t> stored = constant ? integerOf(*constant) : std::nullopt;
    const bool same = stored && at == offset_ && size == static_cast<uint64_t>(bytes_) &&
                      (!value_ || value_ == stored);
    value_ = stored;
    return same;
  }

  bool visitCall(const CallBase &call, unsigned index, int64_t at) {
    if (const auto *set = dyn_cast<MemIntrinsic>(&call); set && index == 0) {
      const auto *length = dyn_cast<ConstantInt>(set->getLength());
      return length && !touches(at, length->getZExtValue());
    }
    if (isa<MemTransferInst>(call) || isa<DbgInfoIntrinsic>(call))
      return true;
    if (const MpiFunction *mpi = mpiFunction(call))
      return visitMpi(*mpi, index, at);
    const Function *callee = call.getCalledFunction();
    if (callee && callee->hasExactDefinition() && index < callee->arg_size())
      return follow(*callee->getArg(index), at);
    return call.onlyReadsMemory(index) && call.doesNotCapture(index);
  }

  bool visitMpi(const MpiFunction &mpi, unsigned index, int64_t at) const {
    if (index >= mpi.arguments.size())
      return true;
    const MpiArgument &argument = mpi.arguments[index];
    if (argument.descriptor)
      return true; // only read; who follows the payload's own address sees it stored there
    switch (argument.role) {
    case MpiRole::Control:
    case MpiRole::ControlArray:
    case MpiRole::SendBuffer:
    case MpiRole::Text:
    case MpiRole::Ignored:
      return true;
    case MpiRole::Output:
    case MpiRole::InOut:
    case MpiRole::WindowMemory:
      return argument.bytes ? !touches(at, argument.bytes) : at > offset_;
    default: // Payload of any length from here on, or kept beyond the call.
      return false;
    }
  }

  const DataLayout &layout_;
  int64_t offset_, bytes_;
  std::optional<int64_t> value_;
  SmallSetVector<std::pair<const Value *, int64_t>, 16> addresses_;
};

} // namespace

std::optional<int64_t> onlyStored(const GlobalVariable &global, uint64_t offset, unsigned bytes) {
  if (!global.hasLocalLinkage() || !global.hasInitializer())
    return std::nullopt;
  return Field(global.getParent()->getDataLayout(), offset, bytes).search(global);
}

} // namespace gnomon
