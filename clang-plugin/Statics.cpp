// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of each variable with static storage: the analysis behind `gnomon analyze` and the
// plugin's remarks.

#include "Statics.h"
#include "Annotations.h"
#include "clang/AST/APValue.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <map>
#include <tuple>

using namespace clang;

namespace gnomon {

const char *fateName(Fate fate) {
  static constexpr const char *Names[] = {
#define GNOMON_FATE(Id, Name, Words) Name,
#include "gnomon/Residence.def"
  };
  return Names[static_cast<size_t>(fate)];
}

const char *fateWords(Fate fate) {
  static constexpr const char *Names[] = {
#define GNOMON_FATE(Id, Name, Words) Words,
#include "gnomon/Residence.def"
  };
  return Names[static_cast<size_t>(fate)];
}

const char *storageName(Storage storage) {
  static constexpr const char *Names[] = {
#define GNOMON_STORAGE(Id, Name) Name,
      GNOMON_STORAGES
#undef GNOMON_STORAGE
  };
  return Names[static_cast<size_t>(storage)];
}

namespace {

// Why a variable stays shared although a rank may write it.
enum class SharedFor {
#define GNOMON_SHARED(Id, Fate, Severity, AtLink, InSource) Id,
#include "gnomon/Residence.def"
};

void share(StaticVariable &variable, SharedFor why) {
  static constexpr std::pair<Fate, const char *> Reasons[] = {
#define GNOMON_SHARED(Id, Fate_, Severity, AtLink, InSource) {Fate::Fate_, InSource},
#include "gnomon/Residence.def"
  };
  auto [fate, reason] = Reasons[static_cast<size_t>(why)];
  variable.fate = fate;
  variable.reason = reason;
}

std::string quoted(llvm::StringRef name) { return ("'" + name + "'").str(); }

// The declaration that speaks for all redeclarations: the definition, the tentative definition that
// C makes one, or else the first declaration.
const VarDecl *speaker(const VarDecl &variable) {
  if (const VarDecl *definition = variable.getDefinition())
    return definition;
  if (const VarDecl *acting = variable.getActingDefinition())
    return acting;
  return variable.getCanonicalDecl();
}

bool isDefinition(const VarDecl &variable) {
  return variable.isThisDeclarationADefinition() != VarDecl::DeclarationOnly;
}

std::string qualifiedName(const VarDecl &variable) {
  std::string name;
  llvm::raw_string_ostream out(name);
  PrintingPolicy policy = variable.getASTContext().getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;
  if (const auto *function = dyn_cast_or_null<FunctionDecl>(variable.getParentFunctionOrMethod())) {
    function->getNameForDiagnostic(out, policy, /*Qualified=*/true);
    out << "::";
  }
  variable.getNameForDiagnostic(out, policy, /*Qualified=*/!variable.isLocalVarDecl());
  return name;
}

struct Place {
  std::string file;
  unsigned line = 0, column = 0;
};

Place placeOf(const VarDecl &variable) {
  const SourceManager &sources = variable.getASTContext().getSourceManager();
  SourceLocation location = sources.getExpansionLoc(variable.getLocation());
  Place place;
  if (OptionalFileEntryRef entry = sources.getFileEntryRefForID(sources.getFileID(location))) {
    place.file = entry->getFileEntry().tryGetRealPathName().str();
    if (place.file.empty())
      place.file = entry->getName().str();
  }
  place.line = sources.getExpansionLineNumber(location);
  place.column = sources.getExpansionColumnNumber(location);
  return place;
}

Storage storageOf(const VarDecl &variable) {
  if (isa<VarTemplateSpecializationDecl>(variable) || variable.getTemplateInstantiationPattern())
    return Storage::TemplateStatic;
  if (const auto *function = dyn_cast_or_null<FunctionDecl>(variable.getParentFunctionOrMethod()))
    return function->isTemplateInstantiation() ? Storage::TemplateStatic : Storage::FunctionStatic;
  if (variable.isStaticDataMember())
    return Storage::ClassStatic;
  return variable.hasExternalFormalLinkage() ? Storage::Global : Storage::FileStatic;
}

} // namespace

// External names are the linker's; others are told apart by their place.
std::string keyOf(const VarDecl &variable) {
  const VarDecl &first = *variable.getCanonicalDecl();
  if (first.hasExternalFormalLinkage() || first.isStaticDataMember() ||
      isa<VarTemplateSpecializationDecl>(first))
    return ASTNameGenerator(first.getASTContext()).getName(&first);
  Place place = placeOf(first);
  return llvm::formatv("{0}:{1}:{2}:{3}", place.file, place.line, place.column,
                       qualifiedName(first))
      .str();
}

namespace {

// The variables whose addresses an initial value holds.
class AddressCollector {
public:
  explicit AddressCollector(std::vector<HeldAddress> &held) : held_(held) {}

  void walk(const APValue &value) {
    switch (value.getKind()) {
    case APValue::LValue:
      return base(value.getLValueBase());
    case APValue::Struct:
      for (unsigned i = 0; i < value.getStructNumBases(); ++i)
        walk(value.getStructBase(i));
      for (unsigned i = 0; i < value.getStructNumFields(); ++i)
        walk(value.getStructField(i));
      return;
    case APValue::Union:
      return walk(value.getUnionValue());
    case APValue::Array:
      for (unsigned i = 0; i < value.getArrayInitializedElts(); ++i)
        walk(value.getArrayInitializedElt(i));
      if (value.hasArrayFiller())
        walk(value.getArrayFiller());
      return;
    default:
      return; // numbers, functions' members, label differences: no addresses of variables
    }
  }

  void object(const VarDecl &variable) {
    if (variable.hasGlobalStorage())
      held_.push_back({keyOf(variable), qualifiedName(variable)});
  }

  void unnamed(QualType type, const ASTContext &context) {
    if (!type.isConstantStorage(const_cast<ASTContext &>(context), true, true))
      held_.push_back({"", "an unnamed object of type '" + type.getAsString() + "'"});
  }

private:
  void base(const APValue::LValueBase &base) {
    if (const auto *decl = base.dyn_cast<const ValueDecl *>()) {
      if (const auto *variable = dyn_cast<VarDecl>(decl))
        object(*variable);
      else if (const auto *temporary = dyn_cast<LifetimeExtendedTemporaryDecl>(decl))
        unnamed(temporary->getTemporaryExpr()->getType(), temporary->getASTContext());
    } else if (const auto *expression = base.dyn_cast<const Expr *>()) {
      if (const auto *literal = dyn_cast<CompoundLiteralExpr>(expression))
        unnamedExpression(*literal);
      else if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(expression))
        unnamedExpression(*temporary);
    }
  }

  void unnamedExpression(const Expr &expression) {
    QualType type = expression.getType();
    if (!type.isConstQualified())
      held_.push_back({"", "an unnamed object of type '" + type.getAsString() + "'"});
  }

  std::vector<HeldAddress> &held_;
};

// For the few C initialisers that clang's evaluator does not take: every variable named in an
// address context.
class ReferenceCollector : public RecursiveASTVisitor<ReferenceCollector> {
public:
  explicit ReferenceCollector(AddressCollector &addresses) : addresses_(addresses) {}
  bool VisitDeclRefExpr(DeclRefExpr *reference) {
    if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
      addresses_.object(*variable);
    return true;
  }
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) { return true; }

private:
  AddressCollector &addresses_;
};

// Why `variable`, a definition, is not a constant for code generation; nothing if it is one.
std::optional<std::string> whyMutable(const VarDecl &variable, std::vector<HeldAddress> &held) {
  auto &context = const_cast<ASTContext &>(variable.getASTContext());
  QualType type = variable.getType();
  bool destroyed = variable.needsDestruction(context) == QualType::DK_cxx_destructor;
  if (auto reason =
          type.isNonConstantStorage(context, /*ExcludeCtor=*/true, /*ExcludeDtor=*/true)) {
    if (*reason == QualType::NonConstantStorageReason::MutableField)
      return "const, but has a mutable member";
    if (type->isAnyPointerType() && type->getPointeeType().isConstQualified())
      return "not const: only what it points to is";
    return "not const";
  }
  if (destroyed)
    return "const, but has a destructor to run";
  const VarDecl *withInit = nullptr;
  const Expr *init = variable.getAnyInitializer(withInit);
  if (!init || init->isValueDependent())
    return std::nullopt;
  AddressCollector addresses(held);
  if (const APValue *value = withInit->evaluateValue())
    addresses.walk(*value);
  else if (context.getLangOpts().CPlusPlus)
    return "const, but initialised at run time";
  else
    ReferenceCollector(addresses).TraverseStmt(const_cast<Expr *>(init));
  return std::nullopt;
}

void decide(const VarDecl &variable, StaticVariable &result) {
  if (result.threadLocal) {
    result.fate = Fate::ThreadLocal;
    result.reason = "thread-local";
  } else if (isAnnotated(variable, Annotation::Shared)) {
    share(result, SharedFor::Request);
  } else if (!result.definition && variable.getType().isConstQualified() && variable.hasInit()) {
    result.fate = Fate::SharedConst;
    result.reason = "const, its value given with its declaration";
  } else if (!result.definition) {
    result.fate = Fate::External;
    result.reason = "declared here only: its definition decides";
  } else if (auto why = whyMutable(variable, result.holds)) {
    result.fate = Fate::Privatised;
    result.reason = *why;
    result.holds.clear();
  } else {
    result.fate = Fate::SharedConst;
    result.reason = variable.getType()->isReferenceType() ? "a reference, bound once" : "const";
  }
}

} // namespace

bool isDescribed(const VarDecl &variable) {
  if (isa<ParmVarDecl>(variable) || !variable.hasGlobalStorage() || variable.isInvalidDecl())
    return false;
  if (variable.getStorageClass() == SC_Register || variable.getType()->isDependentType() ||
      variable.getDeclContext()->isDependentContext() || variable.isTemplated())
    return false;
  const VarDecl *spokesman = speaker(variable);
  if (spokesman != &variable)
    return false;
  // A template's static member that nothing used is declared with its class, but there is no such
  // variable.
  bool neverMade = !isDefinition(variable) && variable.getTemplateInstantiationPattern();
  return !neverMade;
}

StaticVariable describe(const VarDecl &variable) {
  StaticVariable result;
  Place place = placeOf(variable);
  result.key = keyOf(variable);
  result.name = qualifiedName(variable);
  result.symbol =
      ASTNameGenerator(const_cast<ASTContext &>(variable.getASTContext())).getName(&variable);
  result.file = place.file;
  result.line = place.line;
  result.column = place.column;
  const ASTContext &context = variable.getASTContext();
  result.type = variable.getType().getAsString(context.getPrintingPolicy());
  if (variable.getType()->isReferenceType())
    result.bytes = context.getTypeSizeInChars(context.VoidPtrTy).getQuantity();
  else if (!variable.getType()->isIncompleteType())
    result.bytes = context.getTypeSizeInChars(variable.getType()).getQuantity();
  result.storage = storageOf(variable);
  result.threadLocal = variable.getTLSKind() != VarDecl::TLS_None;
  result.definition = isDefinition(variable);
  if (const auto *section = variable.getAttr<SectionAttr>())
    result.section = section->getName().str();
  decide(variable, result);
  return result;
}

bool mayBePrivatised(const VarDecl &variable) {
  const VarDecl *spokesman = speaker(variable);
  if (!spokesman->hasGlobalStorage() || spokesman->getStorageClass() == SC_Register)
    return false;
  StaticVariable described = describe(*spokesman);
  if (described.fate == Fate::External)
    return !spokesman->getType().isConstQualified();
  return described.fate == Fate::Privatised || described.fate == Fate::ThreadLocal ||
         !described.holds.empty();
}

namespace {

void mergeByKey(std::vector<StaticVariable> &variables) {
  std::map<std::string, StaticVariable> byKey;
  for (StaticVariable &variable : variables) {
    auto [entry, fresh] = byKey.try_emplace(variable.key, variable);
    StaticVariable &kept = entry->second;
    if (fresh)
      continue;
    auto rank = [](const StaticVariable &v) { return std::tie(v.file, v.line, v.column, v.type); };
    if (variable.definition != kept.definition ? variable.definition : rank(variable) < rank(kept))
      kept = variable;
  }
  variables.clear();
  for (auto &[key, variable] : byKey)
    variables.push_back(std::move(variable));
}

// Variables that must stay where the linker puts them.
void keepInPlace(std::vector<StaticVariable> &variables,
                 const std::set<std::string> &usedByAssembly) {
  std::set<std::string> declared;
  for (const StaticVariable &variable : variables)
    if (!variable.definition)
      declared.insert(variable.name);
  for (StaticVariable &variable : variables) {
    if (variable.fate != Fate::Privatised && variable.fate != Fate::SharedConst)
      continue;
    std::optional<SharedFor> why;
    if (usedByAssembly.count(variable.key))
      why = SharedFor::Assembly;
    else if (!variable.section.empty() && (declared.count("__start_" + variable.section) ||
                                           declared.count("__stop_" + variable.section)))
      why = SharedFor::Section;
    if (!why)
      continue;
    share(variable, *why);
    variable.holds.clear();
  }
}

// A fixed point: a constant table that holds the address of another constant that turned out to be
// privatised is privatised too. Each round settles at least one, so it ends.
void privatiseHolders(std::vector<StaticVariable> &variables) {
  std::map<std::string, const StaticVariable *> byKey;
  for (const StaticVariable &variable : variables)
    byKey[variable.key] = &variable;
  auto decider = [&](const StaticVariable &holder) -> const HeldAddress * {
    for (const HeldAddress &held : holder.holds) {
      auto found = byKey.find(held.key);
      if (held.key.empty() || (found != byKey.end() && found->second->fate == Fate::Privatised))
        return &held;
    }
    return nullptr;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (StaticVariable &variable : variables) {
      const HeldAddress *held = variable.fate == Fate::SharedConst ? decider(variable) : nullptr;
      if (!held)
        continue;
      bool isReference = llvm::StringRef(variable.type).ends_with("&");
      variable.fate = Fate::Privatised;
      variable.reason =
          (isReference ? "a reference to " : "const, but holds the address of ") +
          (held->key.empty() ? held->name : quoted(held->name) + ", which is privatised");
      changed = true;
    }
  }
  for (StaticVariable &variable : variables)
    for (const HeldAddress &held : variable.holds) {
      auto found = byKey.find(held.key);
      if (variable.fate == Fate::SharedConst &&
          (found == byKey.end() || found->second->fate == Fate::External))
        variable.reason =
            "const; holds the address of " + quoted(held.name) + ", defined elsewhere";
    }
}

} // namespace

std::vector<StaticVariable> settle(Statics statics) {
  std::vector<StaticVariable> variables = std::move(statics.variables);
  mergeByKey(variables);
  keepInPlace(variables, statics.usedByAssembly);
  privatiseHolders(variables);
  std::sort(variables.begin(), variables.end(),
            [](const StaticVariable &a, const StaticVariable &b) {
              return std::tie(a.file, a.line, a.column, a.name, a.key) <
                     std::tie(b.file, b.line, b.column, b.name, b.key);
            });
  return variables;
}

} // namespace gnomon
