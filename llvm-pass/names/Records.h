// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The records of gnomon/Records.def, as the passes fill them in: a value for each field, by name, and the constant
/// of the IR that they make. A field that is not named is zero, or a null pointer.
///
///     record::Import{.address = symbol, .delta = noDelta}.constant(module)
#pragma once

#include "gnomon/Records.def"

#include <cstdint>

namespace llvm {
class Constant;
class GlobalVariable;
class LLVMContext;
class Module;
class StringRef;
class StructType;
template <typename T> class ArrayRef;
} // namespace llvm

namespace gnomon::record {

/// The kinds of fields.
using Pointer = llvm::Constant *;
using Word32 = uint32_t;
using Word64 = uint64_t;
using Real = double;

#define GNOMON_NAME_FIELD(Kind, Type, Name) Name,
#define GNOMON_VALUE_FIELD(Kind, Type, Name) Kind Name = {};
#define GNOMON_RECORD(Record, FIELDS)                                                              \
  struct Record {                                                                                  \
    FIELDS(GNOMON_VALUE_FIELD)                                                                     \
    /* A field's number in the type. */                                                            \
    enum class Field : unsigned { FIELDS(GNOMON_NAME_FIELD) };                                     \
    static llvm::StructType *type(llvm::LLVMContext &context);                                     \
    llvm::Constant *constant(const llvm::Module &module) const;                                    \
  };

GNOMON_RECORD(Import, GNOMON_IMPORT_FIELDS)
GNOMON_RECORD(Relocation, GNOMON_RELOCATION_FIELDS)
GNOMON_RECORD(Structor, GNOMON_STRUCTOR_FIELDS)
GNOMON_RECORD(ThreadLocal, GNOMON_THREAD_LOCAL_FIELDS)
GNOMON_RECORD(Module, GNOMON_MODULE_FIELDS)
GNOMON_RECORD(Burst, GNOMON_BURST_FIELDS)
GNOMON_RECORD(Formula, GNOMON_FORMULA_FIELDS)
GNOMON_RECORD(BurstPlan, GNOMON_BURST_PLAN_FIELDS)
GNOMON_RECORD(Point, GNOMON_POINT_FIELDS)
GNOMON_RECORD(ErrorSite, GNOMON_ERROR_SITE_FIELDS)
GNOMON_RECORD(FoldSite, GNOMON_FOLD_SITE_FIELDS)

#undef GNOMON_RECORD
#undef GNOMON_VALUE_FIELD
#undef GNOMON_NAME_FIELD

/// Whether a table may be written while the program runs.
enum class Access : uint8_t { ReadOnly, Writable };

/// Adds characters with a zero behind them to the module, for it alone; null for none.
llvm::Constant *addText(llvm::Module &module, llvm::StringRef text);

/// Adds an array of constants of one type to the module, for it alone.
llvm::GlobalVariable *addTable(llvm::Module &module, llvm::ArrayRef<llvm::Constant *> entries,
                               Access access, llvm::StringRef name);

} // namespace gnomon::record
