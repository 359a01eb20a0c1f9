// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What changes over when another rank runs: set up, and taken back at the end. The current directory
/// is part of it.
#pragma once

#include "gnomon/Module.h"

#include <string>

namespace gnomon::kernel {
class Engine;
}

namespace gnomon::process {

class Rank;
struct Simulation;

/// Is told of a rank whose turn is over: another one's begins. Its time is charged to no rank.
using TurnHook = void (*)(const Rank &rank);
/// Null: nobody is told. To be called once the ranks exist.
void setTurnHook(TurnHook hook);

void installSwitchHook(kernel::Engine &engine);
/// From now on the variables that a program's code reads by name stay as they are: the ranks of a
/// replay run no program.
void keepProgramVariables();
/// Takes from the process what every rank begins with.
void captureInitialState(Simulation &simulation);
/// A module was loaded while the simulation runs: its gn_swap section takes part in switches.
void addSwap(Simulation &simulation, const gnomon_module &module);
/// From now on there are several ranks: all that is a rank's own is changed over at a switch.
void swapForSeveral(Simulation &simulation);
/// Initial state of C++'s streams, once installStreams has given them their buffers.
void captureInitialStreams(Simulation &simulation);
/// Puts the process's own state back after the ranks have ended.
void restoreInitialState(Simulation &simulation);

/// Makes \p rank's directory the process's.
void selectDirectory(const Rank &rank);
/// Must be called before the first chdir of any rank: keeps the way back.
void keepInitialDirectory();
/// After a real chdir by \p rank: remembers it as the rank's own.
void rememberDirectory(Rank &rank);
/// The directory \p path, for Swapped::directory of another rank. Throws InputError when it is
/// none.
int openDirectory(const std::string &path);

} // namespace gnomon::process
