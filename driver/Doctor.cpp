// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `gnomon doctor`: everything that a first program needs, tried out one by one, each failure with
/// its remedy.
#include "Execute.h"
#include "Message.h"
#include "Subcommands.h"
#include "support/TemporaryFolder.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace gnomon::driver {
namespace {

enum class Verdict { Good, Warning, Bad };

struct Finding {
  Verdict verdict;
  std::string subject;
  std::string detail;
  std::string remedy; ///< empty when the verdict is Good
};
using Findings = std::vector<Finding>;

std::string firstLine(const std::string &text) { return text.substr(0, text.find('\n')); }

Finding compilerFound(const Compiler &compiler, const char *package) {
  const std::string program = programOf(compiler);
  const Outcome outcome = capture({program, "--version"});
  if (outcome.status != 0)
    return {Verdict::Bad, program, "cannot be started",
            fmt::format("apt-get install {}, or set {}", package, compiler.environment)};
  const std::string version = firstLine(outcome.output);
  if (version.find("version 22.") == std::string::npos)
    return {
        Verdict::Bad, program, version,
        fmt::format("Gnomon's plugins are built for LLVM 22: set {} to a compiler of that version",
                    compiler.environment)};
  return {Verdict::Good, program, version, ""};
}

Finding linkerFound() {
  const Outcome outcome =
      capture({programOf(compilerOf(Language::C)), "-fuse-ld=lld", "-print-prog-name=ld.lld"});
  const std::string program = firstLine(outcome.output);
  if (outcome.status == 0 && access(program.c_str(), X_OK) == 0)
    return {Verdict::Good, "lld", program, ""};
  return {Verdict::Bad, "lld", "the compiler finds no ld.lld", "apt-get install lld-22"};
}

Finding fileFound(const Installation &installation, const std::string &relative) {
  const std::filesystem::path path = installation.prefix() / relative;
  std::error_code error;
  if (std::filesystem::exists(path, error))
    return {Verdict::Good, relative, path.string(), ""};
  return {Verdict::Bad, relative, fmt::format("'{}' does not exist", path.string()),
          "the installation is incomplete: build and install Gnomon again"};
}

struct Trial {
  Language language;
  const char *subject;
  const char *file;
  const char *source;
};

const Trial trials[] = {
    {Language::C, "a C program on 2 ranks", "t.c",
     "#include <mpi.h>\nint counter;\nint main(int argc, char **argv) {\n  int size;\n"
     "  MPI_Init(&argc, &argv);\n  MPI_Comm_size(MPI_COMM_WORLD, &size);\n  counter++;\n"
     "  MPI_Finalize();\n  return size == 2 && counter == 1 ? 0 : 9;\n}\n"},
    {Language::Cxx, "a C++ program on 2 ranks", "t.cpp",
     "#include <mpi.h>\nstatic int counter;\nint main(int argc, char **argv) {\n  int size = 0;\n"
     "  MPI_Init(&argc, &argv);\n  MPI_Comm_size(MPI_COMM_WORLD, &size);\n  counter++;\n"
     "  MPI_Finalize();\n  return size == 2 && counter == 1 ? 0 : 9;\n}\n"},
    {Language::Fortran, "a Fortran program on 2 ranks", "t.f90",
     "program t\n  use mpi\n  implicit none\n  integer :: n, e\n  call mpi_init(e)\n"
     "  call mpi_comm_size(mpi_comm_world, n, e)\n  call mpi_finalize(e)\n"
     "  if (n /= 2) stop 9\nend program\n"},
};

std::string lastLines(const std::string &text) {
  const size_t keep = 600;
  return text.size() <= keep ? text : "..." + text.substr(text.size() - keep);
}

// Compiling loads the clang plugin, linking the pass, running the runtime: one trial shows all
// three.
Finding programRuns(const Installation &installation, const TemporaryFolder &scratch,
                    const Trial &trial) {
  const std::string source = scratch.file(trial.file);
  const std::string program = scratch.file("t");
  std::ofstream(source) << trial.source;
  const Outcome built =
      capture({programOf(compilerOf(trial.language)), installation.flag(), source, "-o", program});
  if (built.status != 0)
    return {Verdict::Bad, trial.subject, "does not compile: " + lastLines(built.output),
            "see the lines above that name what is missing"};
  const Outcome ran =
      capture({(installation.prefix() / "bin/gnomon").string(), "run", "-q", "-n", "2", program});
  if (ran.status != 0)
    return {Verdict::Bad, trial.subject,
            fmt::format("ends with {}: {}", ran.status, lastLines(ran.output)),
            "the installation does not work here; please report it with this text"};
  return {Verdict::Good, trial.subject, "compiles, links, runs", ""};
}

Finding mapCount() {
  long count = 0;
  std::ifstream("/proc/sys/vm/max_map_count") >> count;
  const std::string detail = fmt::format("{}", count);
  if (count >= 65530)
    return {Verdict::Good, "vm.max_map_count", detail, ""};
  return {Verdict::Warning, "vm.max_map_count", detail,
          "stacks get guard pages on fewer ranks; sysctl -w vm.max_map_count=65530"};
}

Finding addressSpace() {
  rlimit limit = {};
  getrlimit(RLIMIT_AS, &limit);
  if (limit.rlim_cur == RLIM_INFINITY)
    return {Verdict::Good, "ulimit -v", "unlimited", ""};
  return {Verdict::Warning, "ulimit -v", fmt::format("{} KiB", limit.rlim_cur / 1024),
          "every rank's stack takes address space: ulimit -v unlimited"};
}

Findings examine(const Installation &installation) {
  Findings findings = {compilerFound(compilerOf(Language::C), "clang-22"),
                       compilerFound(compilerOf(Language::Cxx), "clang-22"),
                       compilerFound(compilerOf(Language::Fortran), "flang-22"), linkerFound()};
  for (const char *file :
       {"share/gnomon/clang/clang.cfg", "share/gnomon/clang/clang++.cfg",
        "share/gnomon/clang/flang.cfg", "include/gnomon/mpi.h", "include/gnomon/mpif.h",
        "include/gnomon/mpi.mod", "include/gnomon/mpi_f08.mod", "lib/libgnomon.so",
        "lib/gnomon/GnomonPass.so", "lib/gnomon/GnomonMarkPass.so",
        "lib/gnomon/GnomonClangPlugin.so", "lib/gnomon/mpi/libmpi.so"})
    findings.push_back(fileFound(installation, file));
  findings.push_back(mapCount());
  findings.push_back(addressSpace());
  try {
    const TemporaryFolder scratch;
    for (const Trial &trial : trials)
      findings.push_back(programRuns(installation, scratch, trial));
  } catch (const InputError &error) {
    findings.push_back({Verdict::Bad, "temporary folder", error.what(), "set TMPDIR"});
  }
  return findings;
}

const char *word(Verdict verdict) {
  return verdict == Verdict::Good ? "ok" : verdict == Verdict::Warning ? "warning" : "MISSING";
}

void printText(const Findings &findings) {
  for (const Finding &finding : findings) {
    fmt::print("{:<8} {}: {}\n", word(finding.verdict), finding.subject, finding.detail);
    if (finding.verdict != Verdict::Good)
      fmt::print("         remedy: {}\n", finding.remedy);
  }
}

void printJson(const Findings &findings) {
  nlohmann::json list = nlohmann::json::array();
  for (const Finding &finding : findings)
    list.push_back({{"verdict", word(finding.verdict)},
                    {"subject", finding.subject},
                    {"detail", finding.detail},
                    {"remedy", finding.remedy}});
  // A compiler's output may hold bytes that are not UTF-8.
  fmt::print("{}\n", list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

} // namespace

int doctor(const Arguments &arguments) {
  const bool json = arguments == Arguments{"--json"};
  if (!json && !arguments.empty())
    fail("unknown argument '{}' of 'gnomon doctor'; --json is the only one", arguments.front());
  const Findings findings = examine(Installation::ofThisProgram());
  size_t bad = 0;
  for (const Finding &finding : findings)
    bad += finding.verdict == Verdict::Bad;
  if (json)
    printJson(findings);
  else {
    printText(findings);
    fmt::print("{}\n", bad == 0 ? "everything that Gnomon needs is here"
                                : fmt::format("{} of {} are missing", bad, findings.size()));
  }
  return static_cast<int>(bad == 0 ? ExitCode::Success : ExitCode::BadInput);
}

} // namespace gnomon::driver
