// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin's own diagnostics; the reasons for the group and the levels are in docs/adr/0002.

#include "Diagnostics.h"
#include "clang/Basic/AllDiagnostics.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace gnomon {
namespace {

enum class Level { Error, Warning, Remark, Note };

struct Entry {
  Level level;
  const char *text;
};

constexpr Entry Table[] = {
#define GNOMON_DIAGNOSTIC(Id, LevelName, Text) {Level::LevelName, Text},
#include "Diagnostics.def"
};

DiagnosticIDs::CustomDiagDesc describe(const Entry &entry) {
  switch (entry.level) {
  case Level::Error:
    return {diag::Severity::Error, entry.text, DiagnosticIDs::CLASS_ERROR, true, true};
  case Level::Warning:
    return {diag::Severity::Warning,   entry.text, DiagnosticIDs::CLASS_WARNING, false, false,
            diag::Group::BackendPlugin};
  case Level::Remark:
    return {diag::Severity::Remark, entry.text, DiagnosticIDs::CLASS_REMARK};
  case Level::Note:
    return {diag::Severity::Fatal, entry.text, DiagnosticIDs::CLASS_NOTE, true, true};
  }
  llvm_unreachable("every level is covered above");
}

} // namespace

DiagnosticBuilder report(DiagnosticsEngine &diagnostics, SourceLocation location, DiagnosticId id) {
  const Entry &entry = Table[static_cast<size_t>(id)];
  return diagnostics.Report(location,
                            diagnostics.getDiagnosticIDs()->getCustomDiagID(describe(entry)));
}

void prepareDiagnostics(DiagnosticsEngine &diagnostics) {
  bool asErrors =
      llvm::is_contained(diagnostics.getDiagnosticOptions().Warnings, "error=backend-plugin");
  // A pragma on the group rules what the group holds by then, from its own line on; a diagnostic
  // first heard of after the pragma would take its word for the whole file. So each is given its
  // severity here.
  for (const Entry &entry : Table)
    if (entry.level == Level::Warning)
      diagnostics.setSeverity(diagnostics.getDiagnosticIDs()->getCustomDiagID(describe(entry)),
                              asErrors ? diag::Severity::Error : diag::Severity::Warning, {});
  if (!asErrors)
    diagnostics.setDiagnosticGroupWarningAsError("backend-plugin", false);
}

bool warningsShownAt(const DiagnosticsEngine &diagnostics, SourceLocation location) {
  return location.isValid() && !diagnostics.isIgnored(diag::warn_fe_backend_plugin, location) &&
         !diagnostics.getSourceManager().isInSystemHeader(location);
}

} // namespace gnomon
