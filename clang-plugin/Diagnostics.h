// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin's own diagnostics (Diagnostics.def), registered with clang on first use.
#pragma once

#include "clang/Basic/Diagnostic.h"

namespace gnomon {

enum class DiagnosticId {
#define GNOMON_DIAGNOSTIC(Id, Level, Text) Id,
#include "Diagnostics.def"
};

/// Starts the diagnostic `id` at `location`; stream its arguments into the result. A warning
/// belongs to clang's group -Wbackend-plugin, so that -Wno-backend-plugin, -w and #pragma clang
/// diagnostic rule it.
clang::DiagnosticBuilder report(clang::DiagnosticsEngine &diagnostics,
                                clang::SourceLocation location, DiagnosticId id);

/// To be called before the source is read. Keeps the plugin's warnings warnings when the user says
/// -Werror: a project that built before must build with the flag too. An explicit
/// -Werror=backend-plugin stays in force.
void prepareDiagnostics(clang::DiagnosticsEngine &diagnostics);

/// Whether a warning at `location` would be shown: false under -w, -Wno-backend-plugin,
/// -Wno-everything and in system headers.
bool warningsShownAt(const clang::DiagnosticsEngine &diagnostics, clang::SourceLocation location);

} // namespace gnomon
