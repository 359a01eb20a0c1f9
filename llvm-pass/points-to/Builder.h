// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// From LLVM IR to constraints: what each instruction says of pointers, and which memory it
/// touches.
///
/// A function is looked at once, in its base context; small functions that allocate, or that pass
/// pointers on, are looked at again for each call (Contexts.h), so that their callers stay apart.
/// Integers as large as a pointer, and smaller ones that are computed from such, carry pointers
/// too.
#pragma once

#include "facts/Externals.h"
#include "points-to/AccessClass.h"
#include "points-to/Contexts.h"
#include "points-to/Interned.h"
#include "points-to/Solver.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstVisitor.h"

#include <deque>

namespace llvm {
class GEPOperator;
} // namespace llvm

namespace gnomon::pointsto {

/// One way in which an instruction touches memory.
struct MemoryAccess {
  NodeId pointer;
  int64_t bytes = Highest; ///< Highest: from the pointer to the end of its object
  AccessClass type = {};   ///< by default any
  bool read = false, written = false;
  bool behind =
      false; ///< of an array that is assigned with all that its elements refer to: of that
  bool byModel = false; ///< of an external function: a pointer to nothing is a handle, not a riddle
};

struct CallTargets {
  llvm::SmallSetVector<const llvm::Function *, 2> functions;
  llvm::SmallVector<llvm::ArrayRef<const llvm::Function *>, 1> groups; ///< further ones
  bool unknown = false; ///< or code that is not known
  bool library = false; ///< or a virtual function of a library's object
  bool leaves() const { return unknown || library; }
};

/// The step that a pointer computation makes from its base pointer.
Step stepOf(const llvm::GEPOperator &gep, const llvm::DataLayout &layout);

/// The offsets that a variable index chooses from, in bytes, where all are known and they are few: `buffers[which]`, of
/// which all callers say 0 or 1. None: they are not.
llvm::SmallVector<int64_t, 4> fewOffsetsOf(const llvm::GEPOperator &gep,
                                           const llvm::DataLayout &layout);

class Builder : private SolverClient, private llvm::InstVisitor<Builder> {
public:
  Builder(const llvm::Module &module, const Externals &externals);

  const llvm::Module &module() const { return module_; }
  /// Adds all constraints and solves them.
  void run();

  const Memory &memory() const { return memory_; }
  Memory &memory() { return memory_; }
  const Solver &solver() const { return solver_; }
  /// Behind run().
  llvm::ArrayRef<MemoryAccess> accessesOf(const llvm::Instruction &instruction) const;
  /// The nodes that stand for a value, one a context; NoPointers where it is none.
  llvm::SmallVector<NodeId> nodesOf(const llvm::Value &value) const;
  /// Refers to the texts that are parts of the environment.
  NodeId environment() const { return environment_; }
  const CallTargets *targetsOf(const llvm::CallBase &call) const;
  /// The call or store by which the object that is made there escaped; null: it has not, or nobody
  /// knows.
  const llvm::Instruction *escapeOf(const llvm::Value &origin) const;

private:
  /// Strings that a call writes: pointers to them, and to their characters.
  using Strings = llvm::SmallVector<std::pair<NodeId, NodeId>, 2>;
  struct Frame { ///< a function in a context
    const llvm::Function *function = nullptr;
    unsigned depth = 0;
    llvm::DenseMap<const llvm::Value *, NodeId> nodes;
    NodeId returned = NoPointers;
    NodeId variadic = NoPointers; ///< refers to the object that holds the variable arguments
  };
  struct CallSite {
    const llvm::CallBase *call;
    unsigned frame;
    bool callback; ///< the callee is an argument of an external function
    /// No callee: an object of a library's class, which keeps memory of its own; of these, a string.
    bool owner = false, string = false;
  };
  /// Between calls through pointers that may enter the same functions, and these functions: n calls
  /// of n functions make 2 n copies of each argument, not n^2.
  struct Exchange {
    llvm::ArrayRef<const llvm::Function *> callees;
    llvm::SmallVector<NodeId, 4> arguments;
    NodeId result = NoPointers;
  };

  const llvm::Module &module_;
  const llvm::DataLayout &layout_;
  const Externals &externals_;
  Contexts contexts_;
  Memory memory_;
  Solver solver_;
  std::deque<Frame> frames_;
  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<unsigned, 1>> framesOf_;
  llvm::DenseMap<const llvm::Function *, unsigned> baseFrames_;
  llvm::DenseMap<const llvm::Constant *, NodeId> constants_;
  llvm::DenseMap<const llvm::Value *, ObjectId> staticObjects_; ///< variables and functions
  std::vector<CallSite> callSites_;
  std::vector<IndexSet> linked_;    ///< objects, by call site
  llvm::DenseSet<ObjectId> owners_; ///< objects of a library's class whose own memory has been made
  llvm::DenseMap<ObjectId, ObjectId> texts_; ///< characters of strings, by the object these lie in
  IndexSet strings_;                         ///< where strings lie that have got their characters
  Interned<const llvm::Function *> groups_;
  llvm::DenseMap<std::pair<const void *, unsigned>, Exchange>
      exchanges_; ///< by group and arguments
  std::vector<unsigned> pendingFrames_;
  /// While constraints are added; then packed_, and for each instruction its begin and end there.
  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<MemoryAccess, 1>> accesses_;
  std::vector<MemoryAccess> packed_;
  llvm::DenseMap<const llvm::Instruction *, std::pair<uint32_t, uint32_t>> packedOf_;
  llvm::DenseMap<const llvm::CallBase *, CallTargets> targets_;
  std::vector<NodeId> integersMadePointers_;
  NodeId exceptions_ = NoPointers;
  struct Resumed {
    NodeId text;  ///< any place in what the function has been handed
    NodeId place; ///< refers to where it remembers how far it has come
  };
  llvm::DenseMap<const llvm::Function *, Resumed> resumed_; ///< by function outside the program
  NodeId environment_ = NoPointers; ///< texts that the program has made parts of it
  /// Refer to these (State.cpp); none: nobody asks.
  NodeId errno_ = NoPointers, flags_ = NoPointers, names_ = NoPointers;
  bool mpiReachesUnknown_ = false;
  unsigned frame_ = 0; ///< of the instruction that is being visited

  friend class llvm::InstVisitor<Builder>;

  // Constants and variables (Statics.cpp).
  void addRoots();
  void addArguments(const llvm::Function &main);
  ObjectId objectOf(const llvm::GlobalObject &global);
  void addInitializer(ObjectId object, const llvm::Constant &value, int64_t offset);
  NodeId constantNode(const llvm::Constant &constant);
  void addExpression(const llvm::ConstantExpr &expression, NodeId node);
  void addExternalVariable(const llvm::GlobalVariable &variable, ObjectId object);

  // Frames and values.
  unsigned baseFrame(const llvm::Function &function);
  unsigned newFrame(const llvm::Function &function, unsigned depth);
  void buildPending();
  void buildFrame(unsigned frame);
  NodeId node(const llvm::Value &value);
  NodeId node(unsigned frame, const llvm::Value &value);
  NodeId resultOf(const llvm::Instruction &instruction);
  void define(const llvm::Instruction &instruction, NodeId node);
  NodeId pointerTo(ObjectId object, int64_t offset = 0);
  void addOwned(const CallSite &site, ObjectId owner);
  void addCharacters(const CallSite &site, LocationId string);
  NodeId freshObject(ObjectKind kind, const llvm::Value &origin, int64_t bytes);
  void record(const llvm::Instruction &instruction, MemoryAccess access);
  void retryIntegers();
  void packAccesses();

  // Instructions (Builder.cpp).
  void visitAllocaInst(llvm::AllocaInst &alloca);
  void visitLoadInst(llvm::LoadInst &load);
  void visitStoreInst(llvm::StoreInst &store);
  bool storeWithin(const llvm::StoreInst &store);
  void visitAtomicRMWInst(llvm::AtomicRMWInst &atomic);
  void visitAtomicCmpXchgInst(llvm::AtomicCmpXchgInst &atomic);
  void visitGetElementPtrInst(llvm::GetElementPtrInst &gep);
  void visitCastInst(llvm::CastInst &cast);
  void visitBinaryOperator(llvm::BinaryOperator &operation);
  void visitReturnInst(llvm::ReturnInst &result);
  void visitLandingPadInst(llvm::LandingPadInst &pad);
  void visitResumeInst(llvm::ResumeInst &resume);
  void visitVAArgInst(llvm::VAArgInst &argument);
  void visitCmpInst(llvm::CmpInst &compare);
  void visitInstruction(llvm::Instruction &instruction);
  void loadPointers(const llvm::Instruction &access, NodeId pointer, const llvm::Type &type,
                    const AccessClass &classes, NodeId to);
  void storePointers(NodeId from, NodeId pointer, const llvm::Type &type,
                     const AccessClass &classes);

  // Calls (Calls.cpp, ExternalCalls.cpp).
  void visitCallBase(llvm::CallBase &call);
  void calls(unsigned callSite, const LocationSet &callees) override;
  void escapes(ObjectId object) override;
  void link(const CallSite &site, const llvm::Function &callee);
  void linkGroup(const CallSite &site, llvm::ArrayRef<const llvm::Function *> callees);
  const Exchange &exchange(llvm::ArrayRef<const llvm::Function *> callees, unsigned arguments);
  void linkFrame(const llvm::CallBase &call, unsigned caller, unsigned callee);
  void linkArgument(const llvm::CallBase &call, unsigned index, unsigned caller, unsigned callee);
  void callUnknown(const llvm::CallBase &call, unsigned frame);
  void callLibrary(const llvm::CallBase &call, unsigned frame);
  void callback(const CallSite &site, const llvm::Function &callee);
  void callExternal(const llvm::CallBase &call, unsigned frame, const Effect &effect);
  void applyArgument(const llvm::CallBase &call, unsigned frame, const Effect &effect,
                     unsigned index, Strings &writtenStrings);
  void applyString(const llvm::CallBase &call, unsigned frame, NodeId pointer,
                   const ArgumentEffect &argument, Strings &writtenStrings);
  void applyLinks(const llvm::CallBase &call, NodeId pointer, const ArgumentEffect &argument,
                  NodeId &linked);
  struct Elements {
    NodeId pointers = NoPointers; ///< to them
    int64_t bytes = 0;            ///< from there on; Highest: to the end of the object
    NodeId places = NoPointers;   ///< any place in them
  };
  Elements elementsOf(const llvm::Value &argument, NodeId descriptor);
  NodeId heldBy(const Elements &elements);
  NodeId reachOf(NodeId held);
  void applyArrays(const llvm::CallBase &call, unsigned frame, const Effect &effect);
  void applyArray(const llvm::CallBase &call, unsigned index, NodeId descriptor,
                  ArgumentEffect argument, const AccessClass &type);
  void applyFinalizer(const llvm::CallBase &call, unsigned frame, const llvm::Function &finalizer);
  void moveArray(const llvm::CallBase &call, unsigned frame, NodeId to, NodeId from);
  void assignArray(const llvm::CallBase &call, NodeId to, NodeId from, const Effect &effect);
  void handVectors(const llvm::CallBase &call, const llvm::Function &operation);
  void applyVariables(const llvm::CallBase &call, NodeId list, const ArgumentEffect &argument);
  void applyAdvancing(const llvm::CallBase &call, unsigned frame, const Effect &effect,
                      NodeId pointer);
  void applyResumed(const llvm::CallBase &call, unsigned frame, const Effect &effect);
  void addCharactersOf(NodeId string, NodeId result);
  void storeManyFresh(const llvm::CallBase &call, NodeId fresh, NodeId pointer);
  void copyFreshContents(const llvm::CallBase &call, unsigned frame, NodeId fresh);
  void applyShallowCopy(const llvm::CallBase &call, unsigned frame, const Effect &effect);
  void applyDeep(const llvm::CallBase &call, unsigned frame, const Effect &effect);
  void applyResult(const llvm::CallBase &call, unsigned frame, const Effect &effect);
  bool visitMemoryIntrinsic(const llvm::CallBase &call);

  // What is left behind (State.cpp).
  void addState();
  void leaveFlags(const llvm::Instruction &instruction);
  void applyState(const llvm::CallBase &call, unsigned frame, const Effect &effect);
  bool visitIntrinsic(const llvm::CallBase &call);
};

} // namespace gnomon::pointsto
