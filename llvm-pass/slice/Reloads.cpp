// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "slice/Reloads.h"

#include "slice/MemoryUse.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gnomon {
namespace {

/// Phis that are followed from one, and addresses that are read from addresses, at most.
constexpr size_t MostPhis = 64;
constexpr unsigned Deepest = 4;
/// Functions that one may lead to; a function that leads to more is taken to write any place.
constexpr size_t MostRunning = 256;

} // namespace

const LoadInst *Reloads::first(const PHINode &phi) const {
  auto [place, isNew] = found_.try_emplace(&phi, nullptr); // none while it is looked for
  if (!isNew)
    return place->second;
  const LoadInst *load = find(phi);
  found_[&phi] = load; // the map may have grown
  return load;
}

/// What an address's number is made of: the optimiser chooses between such numbers, too.
static const Value *withoutCast(const Value &value, const DataLayout &layout) {
  const auto *cast = dyn_cast<PtrToIntInst>(&value);
  const bool isWhole = cast && cast->getType() == layout.getIntPtrType(cast->getSrcTy());
  return isWhole ? cast->getPointerOperand() : &value;
}

const LoadInst *Reloads::find(const PHINode &phi) const {
  if (!phi.getType()->isPointerTy() && !phi.getType()->isIntegerTy())
    return nullptr;
  SmallSetVector<const PHINode *, 8> phis;
  SmallSetVector<const LoadInst *, 8> loads;
  const DataLayout &layout = phi.getDataLayout();
  phis.insert(&phi);
  for (size_t next = 0; next < phis.size(); ++next)
    for (const Value *incoming : phis[next]->incoming_values()) {
      const Value *value = withoutCast(*incoming, layout);
      const auto *load = dyn_cast<LoadInst>(value);
      const auto *further = dyn_cast<PHINode>(value);
      if (load && load->isSimple())
        loads.insert(load);
      else if (further && (phis.contains(further) || phis.size() < MostPhis))
        phis.insert(further);
      else
        return nullptr;
    }
  const auto *earliest = find_if(loads, [&](const LoadInst *load) {
    return all_of(phis, [&](const PHINode *each) { return standsFor(*load, *each); });
  });
  if (earliest == loads.end() || isWrittenMeanwhile(**earliest))
    return nullptr;
  const Value *same = representative(**earliest, 0);
  return all_of(loads, [&](const LoadInst *load) { return representative(*load, 0) == same; })
             ? *earliest
             : nullptr;
}

/// The same for loads of one place that nobody writes meanwhile.
const Value *Reloads::representative(const Value &value, unsigned depth) const {
  if (const auto *phi = dyn_cast<PHINode>(&value)) {
    const LoadInst *load = first(*phi);
    return load ? representative(*load, depth) : phi;
  }
  const auto *load = dyn_cast<LoadInst>(&value);
  if (!load || !load->isSimple() || depth >= Deepest || isWrittenMeanwhile(*load))
    return &value;
  const DataLayout &layout = load->getDataLayout();
  const Value *pointer = load->getPointerOperand();
  APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  pointer = pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  const Place place{representative(*pointer, depth + 1), offset.getSExtValue()};
  return loads_.try_emplace({place, load->getType()}, load).first->second;
}

/// Whether each time that the phi is passed the load was, in the same round of all loops around it,
/// and both are in the same piece if the load is in one.
bool Reloads::standsFor(const LoadInst &load, const PHINode &phi) const {
  const Shape &shape = this->shape(*phi.getFunction());
  const Loop *loop = shape.loops.getLoopFor(load.getParent());
  const int piece = pieceOf_(*load.getParent());
  return shape.dominators.dominates(&load, &phi) && (!loop || loop->contains(&phi)) &&
         (piece < 0 || piece == pieceOf_(*phi.getParent()));
}

/// Whether somebody may write the place while the function runs. MPI writes when it likes.
bool Reloads::isWrittenMeanwhile(const LoadInst &load) const {
  ArrayRef<Cell> cells = memory_.reads(load);
  if (cells.empty() || is_contained(cells, PointsTo::Unknown))
    return true;
  const DenseSet<const Function *> &running = this->running(*load.getFunction());
  return running.size() > MostRunning || any_of(cells, [&](Cell cell) {
           return any_of(memory_.writers(cell), [&](const Instruction *writer) {
             const auto *call = dyn_cast<CallBase>(writer);
             return running.contains(writer->getFunction()) || (call && mpiFunction(*call));
           });
         });
}

const Reloads::Shape &Reloads::shape(const Function &function) const {
  std::unique_ptr<Shape> &known = shapes_[&function];
  if (known)
    return *known;
  auto shape = std::make_unique<Shape>();
  shape->dominators.recalculate(const_cast<Function &>(function));
  shape->loops.analyze(shape->dominators);
  known = std::move(shape);
  return *known;
}

const DenseSet<const Function *> &Reloads::running(const Function &function) const {
  std::unique_ptr<DenseSet<const Function *>> &known = running_[&function];
  if (known)
    return *known;
  known = std::make_unique<DenseSet<const Function *>>();
  SmallVector<const Function *, 16> work{&function};
  known->insert(&function);
  while (!work.empty() && known->size() <= MostRunning)
    for (const Instruction &instruction : instructions(*work.pop_back_val()))
      if (const auto *call = dyn_cast<CallBase>(&instruction))
        for (const Function *callee : memory_.program().callees(*call))
          if (known->insert(callee).second)
            work.push_back(callee);
  return *known;
}

} // namespace gnomon
