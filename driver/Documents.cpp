// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Help, man page and completion from one set of rows: what one of them lists, all of them list.
#include "Documents.h"

#include "Library.h"
#include "Message.h"
#include "RunCommandLine.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::driver {
namespace {

struct Row {
  std::string left;
  std::string help;
};
using Rows = std::vector<Row>;

std::string shortSpellingOf(RunOption option) {
#define GNOMON_ALIAS(spelling, id)                                                                 \
  if (option == RunOption::id)                                                                     \
    return std::string(spelling) + ", ";
#define GNOMON_ACTION(action, spelling, longName, values, help, metavariable)
#define GNOMON_IGNORED(spelling, values)
#define GNOMON_REFUSED(spelling, why)
#include "LauncherOptions.def"
#undef GNOMON_ALIAS
#undef GNOMON_ACTION
#undef GNOMON_IGNORED
#undef GNOMON_REFUSED
  return "";
}

std::string spaced(const std::string &word) { return word.empty() ? "" : " " + word; }

Rows modelRows(bool all) {
  Rows rows;
  for (const RunOptionRow &option : RunOptions) {
    if (!all && option.page == RunOptionRow::Page::All)
      continue;
    const std::string word = option.kind == RunOptionRow::Kind::Mode
                                 ? fmt::format("[={}]", option.metavariable)
                                 : spaced(option.metavariable);
    const bool showsDefault = *option.initial && *option.metavariable;
    rows.push_back({fmt::format("{}--{}{}", shortSpellingOf(option.option), option.name, word),
                    option.help + (showsDefault ? fmt::format(" [{}]", option.initial) : "")});
  }
  return rows;
}

Rows launcherRows() {
  Rows rows;
  auto add = [&](const std::string &spelling, const std::string &longName, const std::string &help,
                 const std::string &metavariable) {
    if (!help.empty())
      rows.push_back(
          {spelling + (spelling.empty() ? "" : ", ") + longName + spaced(metavariable), help});
  };
#define GNOMON_ALIAS(spelling, id)
#define GNOMON_ACTION(action, spelling, longName, values, help, metavariable)                      \
  add(spelling, longName, help, metavariable);
#define GNOMON_IGNORED(spelling, values)
#define GNOMON_REFUSED(spelling, why)
#include "LauncherOptions.def"
#undef GNOMON_ALIAS
#undef GNOMON_ACTION
#undef GNOMON_IGNORED
#undef GNOMON_REFUSED
  return rows;
}

Rows ignoredRows() {
  Rows rows;
#define GNOMON_ALIAS(spelling, id)
#define GNOMON_ACTION(action, spelling, longName, values, help, metavariable)
#define GNOMON_IGNORED(spelling, values) rows.push_back({spelling, ""});
#define GNOMON_REFUSED(spelling, why)
#include "LauncherOptions.def"
#undef GNOMON_ALIAS
#undef GNOMON_ACTION
#undef GNOMON_IGNORED
#undef GNOMON_REFUSED
  return rows;
}

Rows subcommandRows() {
  Rows rows;
#define GNOMON_SUBCOMMAND(name, function, arguments, help)                                         \
  rows.push_back({std::string(#name) + " " + arguments, help});
#define GNOMON_LATER(name, help)
#include "Subcommands.def"
#undef GNOMON_SUBCOMMAND
#undef GNOMON_LATER
  return rows;
}

Rows generalRows() {
  return {{"--flag", "print the one compiler flag, for clang-22, clang++-22 and flang-22"},
          {"--trace-flag", "print the flag of programs that a real MPI runs, to be traced there"},
          {"--prefix", "print where Gnomon is installed"},
          {"--version", "print the version"},
          {"--help, --help-all", "this help; with every option of 'run'"}};
}

Rows checkRows() {
  Rows rows;
#define GNOMON_CHECK_OPTION(name, metavariable, help)                                              \
  rows.push_back({std::string(name) + spaced(metavariable), help});
#include "CheckOptions.def"
#undef GNOMON_CHECK_OPTION
  return rows;
}

Rows traceCommandRows() {
  Rows rows;
#define GNOMON_TRACE_COMMAND(name, arguments, help)                                                \
  rows.push_back({std::string(#name) + " " + arguments, help});
#define GNOMON_TRACE_OPTION(name, commands, metavariable, help)
#include "TraceOptions.def"
#undef GNOMON_TRACE_COMMAND
#undef GNOMON_TRACE_OPTION
  return rows;
}

Rows traceRows() {
  Rows rows;
#define GNOMON_TRACE_COMMAND(name, arguments, help)
#define GNOMON_TRACE_OPTION(name, commands, metavariable, help)                                    \
  rows.push_back({std::string(name) + spaced(metavariable), help});
#include "TraceOptions.def"
#undef GNOMON_TRACE_COMMAND
#undef GNOMON_TRACE_OPTION
  return rows;
}

/// Of `gnomon trace`, whose codes mean what those of `gnomon check` do, but for 1.
Rows traceExitCodeRows() {
  return {
      {"0", "done; of cmp: the traces are the same"},
      {"1", "cmp: they differ"},
      {"2", "a trace that cannot be read, or be said in the other format; or a bad command line"},
      {"74", "an output that cannot be written"}};
}

Rows sweepRows() {
  Rows rows;
#define GNOMON_SWEEP_OPTION(name, metavariable, help)                                              \
  rows.push_back({std::string(name) + spaced(metavariable), help});
#define GNOMON_SWEEP_KEY(key, values, help)
#include "SweepOptions.def"
#undef GNOMON_SWEEP_OPTION
#undef GNOMON_SWEEP_KEY
  return rows;
}

Rows sweepKeyRows() {
  Rows rows;
#define GNOMON_SWEEP_OPTION(name, metavariable, help)
#define GNOMON_SWEEP_KEY(key, values, help) rows.push_back({std::string(key) + "=" + values, help});
#include "SweepOptions.def"
#undef GNOMON_SWEEP_OPTION
#undef GNOMON_SWEEP_KEY
  return rows;
}

Rows sweepExitCodeRows() {
  return {{"0", "every combination ran, with exit code 0"},
          {"1", "a combination failed; its row has its exit code and what it said"},
          {"2", "a bad command line, or a trace that cannot be read; nothing ran"},
          {"74", "an output that cannot be written"},
          {"130", "Ctrl-C (129, 143: SIGHUP, SIGTERM): the table has what was known by then"}};
}

Rows calibrateCommandRows() {
  Rows rows;
#define GNOMON_CALIBRATE_COMMAND(name, function, arguments, help)                                  \
  rows.push_back({std::string(#name) + " " + arguments, help});
#define GNOMON_CALIBRATE_OPTION(name, commands, metavariable, help)
#include "CalibrateOptions.def"
#undef GNOMON_CALIBRATE_COMMAND
#undef GNOMON_CALIBRATE_OPTION
  return rows;
}

Rows calibrateRows() {
  Rows rows;
#define GNOMON_CALIBRATE_COMMAND(name, function, arguments, help)
#define GNOMON_CALIBRATE_OPTION(name, commands, metavariable, help)                                \
  rows.push_back({std::string(name) + spaced(metavariable), help});
#include "CalibrateOptions.def"
#undef GNOMON_CALIBRATE_COMMAND
#undef GNOMON_CALIBRATE_OPTION
  return rows;
}

Rows calibrateExitCodeRows() {
  return {{"0", "done"},
          {"2", "samples that cannot be read, or that no machine explains; or a bad command line"},
          {"74", "an output that cannot be written"}};
}

Rows lintRows() {
  Rows rows;
#define GNOMON_LINT(name, id, severity, help)                                                      \
  rows.push_back({id, std::string(help) + " (" + #severity + ")"});
#include "check/Lints.def"
#undef GNOMON_LINT
  return rows;
}

/// The table's texts are README.md's; outside of Markdown the marks around words go.
std::string withoutMarks(std::string text) {
  std::erase(text, '`');
  return text;
}

Rows exitCodeRows() {
  Rows rows;
  auto add = [&](const std::string &code, const std::string &word, const std::string &happened) {
    rows.push_back({code, word + ": " + withoutMarks(happened)});
  };
#define GNOMON_EXIT_CODE(name, code, word, happened, ofCheck) add(#code, word, happened);
#define GNOMON_EXIT_CODE_OTHER(code, word, happened) add(code, word, happened);
#include "gnomon/ExitCodes.def"
#undef GNOMON_EXIT_CODE
#undef GNOMON_EXIT_CODE_OTHER
  return rows;
}

Rows checkExitCodeRows() {
  Rows rows;
#define GNOMON_EXIT_CODE(name, code, word, happened, ofCheck) rows.push_back({#code, ofCheck});
#define GNOMON_EXIT_CODE_OTHER(code, word, happened)
#include "gnomon/ExitCodes.def"
#undef GNOMON_EXIT_CODE
#undef GNOMON_EXIT_CODE_OTHER
  std::erase_if(rows, [](const Row &row) { return row.help.empty(); });
  return rows;
}

Rows networkRows() {
  Rows rows;
#define GNOMON_NETWORK(name, help) rows.push_back({name, help});
#include "gnomon/Networks.def"
  rows.push_back({"./MODEL.so", "a model of your own; see include/gnomon/gnomon/Network.h"});
  return rows;
}

Rows environmentRows() {
  return {
      {"GNOMON_CC, GNOMON_CXX, GNOMON_FC",
       "the compilers that cc, cxx, fc and the MPI wrappers start"},
      {"GNOMON_SHADOW",
       "0 when a program is linked: for exact runs only; the analysis of its bursts is left out"},
      {"GNOMON_BURSTS",
       "when a program is linked: a file that says which bursts to skip or to run"},
      {"GNOMON_EFFECTS", "when a program is linked: a file that says what functions outside it do"},
      {"GNOMON_LARGE_PAGES",
       "0 when a program is linked: the linker's heap and code stay in pages of 4 KiB"},
      {"GNOMON_RUN", "set by 'gnomon run' for the program; not for users"}};
}

void printRows(const std::string &title, const Rows &rows) {
  constexpr size_t column = 34;
  std::printf("\n%s:\n", title.c_str());
  for (const Row &row : rows) {
    if (row.left.size() + 2 > column - 1)
      std::printf("  %s\n%*s%s\n", row.left.c_str(), static_cast<int>(column), "",
                  row.help.c_str());
    else
      std::printf("  %-*s%s\n", static_cast<int>(column - 2), row.left.c_str(), row.help.c_str());
  }
}

// roff treats a leading '.' or ''' and every '-' and '\' specially.
std::string roff(const std::string &text) {
  std::string result;
  for (const char c : text)
    result += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  if (!result.empty() && (result[0] == '.' || result[0] == '\''))
    result.insert(0, "\\&");
  return result;
}

void printManRows(const char *title, const Rows &rows) {
  std::printf(".SH %s\n", title);
  for (const Row &row : rows)
    std::printf(".TP\n.B %s\n%s\n", roff(row.left).c_str(), roff(row.help).c_str());
}

const char summary[] = "run unmodified MPI programs on a simulated machine";

} // namespace

std::string versionLine() { return std::string("gnomon ") + GNOMON_VERSION; }

int printVersion() {
  std::printf("%s\n", versionLine().c_str());
  return 0;
}

int printHelp(bool all) {
  std::printf("gnomon: %s\n\n", summary);
  std::printf("  clang-22 $(gnomon --flag) -O2 app.c -o app && gnomon run -n 1024 ./app\n");
  printRows("Subcommands", subcommandRows());
  printRows("Options", generalRows());
  if (all) {
    printRows("Options of 'gnomon run'", modelRows(true));
    printRows("Options of 'gnomon run' that launchers have too", launcherRows());
    printRows("Exit codes of 'gnomon run'", exitCodeRows());
    printRows("Environment", environmentRows());
  }
  return 0;
}

int printRunHelp(bool all) {
  std::printf(
      "gnomon run [OPTIONS] PROGRAM [ARGS...]: simulate a program built with 'gnomon --flag'\n");
  printRows("Options", modelRows(all));
  printRows("Network models (--network)", networkRows());
  if (!all) {
    std::printf("\n'gnomon run --help-all' lists every option.\n");
    return 0;
  }
  printRows("Options that launchers have too", launcherRows());
  std::printf("\nAccepted, without effect in a simulation:\n ");
  for (const Row &row : ignoredRows())
    std::printf(" %s", row.left.c_str());
  std::printf("\n");
  printRows("Exit codes", exitCodeRows());
  return 0;
}

int printReplayHelp(bool all) {
  std::printf("gnomon replay [OPTIONS] TRACE: simulate what a run recorded (gnomon run --trace) on "
              "another platform\n\nThe options are those of 'gnomon run' but for what only a "
              "program has.\n");
  printRows("Options", modelRows(all));
  printRows("Network models (--network)", networkRows());
  printRows("Exit codes", exitCodeRows());
  return 0;
}

int printCheckHelp() {
  std::printf(
      "gnomon check [OPTIONS] PLATFORM...: say what a platform is, and what is wrong with it\n"
      "\nPLATFORM is a file, or what else '--platform' takes: cluster:n=64,bw=10Gbps,lat=2us\n");
  printRows("Options", checkRows());
  printRows("What is looked for", lintRows());
  printRows("Exit codes", checkExitCodeRows());
  return 0;
}

int printTraceHelp() {
  std::printf("gnomon trace COMMAND [OPTIONS] TRACE...: what is done with recorded traces\n"
              "\nFiles that end in .goal, .dim, .txt, .tit or .idx are LogGOPSim's, Dimemas' and "
              "SimGrid's; "
              "others are Gnomon's own.\n");
  printRows("Commands", traceCommandRows());
  printRows("Options", traceRows());
  printRows("Exit codes", traceExitCodeRows());
  return 0;
}

int printSweepHelp() {
  std::printf(
      "gnomon sweep [OPTIONS] TRACE|PROGRAM [ARGS...]: replay a trace, or run a program, on "
      "several platforms and with varied parameters\n"
      "\nAll options of 'gnomon replay' and 'gnomon run' that name no output are passed on "
      "to every run.\n");
  printRows("Options", sweepRows());
  printRows("What --vary takes", sweepKeyRows());
  printRows("Exit codes", sweepExitCodeRows());
  return 0;
}

int printCalibrateHelp() {
  std::printf("gnomon calibrate COMMAND [OPTIONS] ...: measure a machine and write its platform "
              "file\n\nRAW is what 'gnomon calibrate measure' wrote, or the output of OSU's, IMB's "
              "or SKaMPI's benchmarks.\n");
  printRows("Commands", calibrateCommandRows());
  printRows("Options", calibrateRows());
  printRows("Exit codes", calibrateExitCodeRows());
  return 0;
}

int printNetworks() {
  printRows("Network models (gnomon run --network=NAME)", networkRows());
  return 0;
}

int printCollectives(const std::string &collective) {
  std::printf("%s", describeCollectives(collective).c_str());
  return 0;
}

int printManPage() {
  std::printf(".\\\" SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n");
  std::printf(".TH GNOMON 1 \"\" \"%s\" \"User Commands\"\n", versionLine().c_str());
  std::printf(".SH NAME\ngnomon \\- %s\n", summary);
  std::printf(".SH SYNOPSIS\n.B clang\\-22 $(gnomon \\-\\-flag) \\-O2 app.c \\-o app\n.br\n"
              ".B gnomon run\n[\\fIOPTIONS\\fR] \\fIPROGRAM\\fR [\\fIARGS\\fR...]\n");
  std::printf(".SH DESCRIPTION\nGnomon predicts how long an MPI program takes on a machine that is "
              "not there. "
              "The program, in C, C++ or Fortran, is built with one compiler flag and nothing else "
              "changed; "
              "then all its ranks run in one process, over a simulated network.\n"
              "Started alone, such a program runs as one rank.\n");
  printManRows("SUBCOMMANDS", subcommandRows());
  printManRows("OPTIONS", generalRows());
  printManRows("OPTIONS OF RUN", modelRows(true));
  printManRows("OPTIONS OF RUN THAT LAUNCHERS HAVE TOO", launcherRows());
  printManRows("OPTIONS OF CHECK", checkRows());
  printManRows("WHAT CHECK LOOKS FOR", lintRows());
  printManRows("COMMANDS OF TRACE", traceCommandRows());
  printManRows("OPTIONS OF TRACE", traceRows());
  printManRows("OPTIONS OF SWEEP", sweepRows());
  printManRows("WHAT SWEEP VARIES", sweepKeyRows());
  printManRows("COMMANDS OF CALIBRATE", calibrateCommandRows());
  printManRows("OPTIONS OF CALIBRATE", calibrateRows());
  printManRows("NETWORK MODELS", networkRows());
  printManRows("EXIT STATUS OF RUN", exitCodeRows());
  printManRows("EXIT STATUS OF CHECK", checkExitCodeRows());
  printManRows("EXIT STATUS OF TRACE", traceExitCodeRows());
  printManRows("EXIT STATUS OF SWEEP", sweepExitCodeRows());
  printManRows("EXIT STATUS OF CALIBRATE", calibrateExitCodeRows());
  printManRows("ENVIRONMENT", environmentRows());
  return 0;
}

int printBashCompletion() {
  std::string subcommands;
  for (const Row &row : subcommandRows())
    subcommands += row.left.substr(0, row.left.find(' ')) + " ";
  std::string runOptions;
  for (const std::string &spelling : runOptionSpellings())
    runOptions += spelling + " ";
  std::string checkOptions;
  for (const Row &row : checkRows())
    checkOptions += row.left.substr(0, row.left.find(' ')) + " ";
  std::string traceCommands, traceOptions;
  for (const Row &row : traceCommandRows())
    traceCommands += row.left.substr(0, row.left.find(' ')) + " ";
  for (const Row &row : traceRows())
    traceOptions += row.left.substr(0, row.left.find(' ')) + " ";
  std::string sweepOptions = runOptions;
  for (const Row &row : sweepRows())
    sweepOptions += row.left.substr(0, row.left.find(' ')) + " ";
  std::string calibrateCommands, calibrateOptions;
  for (const Row &row : calibrateCommandRows())
    calibrateCommands += row.left.substr(0, row.left.find(' ')) + " ";
  for (const Row &row : calibrateRows())
    calibrateOptions += row.left.substr(0, row.left.find(' ')) + " ";
  std::printf("# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
              "# bash completion for gnomon, made from its option tables.\n"
              "_gnomon() {\n"
              "  local current=${COMP_WORDS[COMP_CWORD]} words=\n"
              "  if ((COMP_CWORD == 1)); then\n"
              "    words='%s--flag --trace-flag --prefix --version --help --help-all'\n"
              "  elif [[ ${COMP_WORDS[1]} == run && $current == -* ]]; then\n"
              "    words='%s'\n"
              "  elif [[ ${COMP_WORDS[1]} == sweep && $current == -* ]]; then\n"
              "    words='%s'\n"
              "  elif [[ ${COMP_WORDS[1]} == check && $current == -* ]]; then\n"
              "    words='%s'\n"
              "  elif [[ ${COMP_WORDS[1]} == trace ]] && ((COMP_CWORD == 2)); then\n"
              "    words='%s'\n"
              "  elif [[ ${COMP_WORDS[1]} == trace && $current == -* ]]; then\n"
              "    words='%s'\n"
              "  elif [[ ${COMP_WORDS[1]} == calibrate ]] && ((COMP_CWORD == 2)); then\n"
              "    words='%s'\n"
              "  elif [[ ${COMP_WORDS[1]} == calibrate && $current == -* ]]; then\n"
              "    words='%s'\n"
              "  fi\n"
              "  [[ $words ]] && mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
              "}\n"
              "complete -o default -F _gnomon gnomon\n",
              subcommands.c_str(), runOptions.c_str(), sweepOptions.c_str(), checkOptions.c_str(),
              traceCommands.c_str(), traceOptions.c_str(), calibrateCommands.c_str(),
              calibrateOptions.c_str());
  return 0;
}

} // namespace gnomon::driver
