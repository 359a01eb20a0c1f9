// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Names that more than one file of the pass, or a test, relies on.
#pragma once

namespace gnomon::names {

/// Sections of the per-rank variables: with an initial value, and all zeros.
inline constexpr char PrivateSection[] = "gn_priv";
inline constexpr char ZeroSection[] = "gn_zero";
/// Section of library state that is saved and restored at a switch of ranks.
inline constexpr char SwapBegin[] = "__start_gn_swap";
inline constexpr char SwapEnd[] = "__stop_gn_swap";

/// What the passes add to a module. Everything of ours begins with OursPrefix and is never
/// privatised.
inline constexpr char OursPrefix[] = "gnomon.";
inline constexpr char PrivateBlock[] = "gnomon.private";
inline constexpr char ZeroBlock[] = "gnomon.zero";
inline constexpr char Delta[] = "gnomon.delta";
inline constexpr char SharedDelta[] = "gnomon.delta.shared";
inline constexpr char Imports[] = "gnomon.imports";
inline constexpr char Relocations[] = "gnomon.relocations";
inline constexpr char ThreadLocals[] = "gnomon.thread.locals";
inline constexpr char Bursts[] = "gnomon.bursts";
inline constexpr char BurstsOn[] = "gnomon.bursts.on";
inline constexpr char Points[] = "gnomon.points";
inline constexpr char PointsOn[] = "gnomon.points.on";
/// Stands before the name of a burst's hook whose last argument is what has been counted and is not yet in memory
/// (count/BurstEnds.h); gone when the link has optimised.
inline constexpr char PendingPrefix[] = "gnomon.pending.";
/// Metadata of a variable: a record of a part of it, and where the part begins. The pass that gives each rank its own
/// copy puts the address into the record: until then the variable's address is not taken.
inline constexpr char FoldedPart[] = "gnomon.fold.part";
inline constexpr char FoldSites[] = "gnomon.fold.sites";
inline constexpr char PhaseCount[] = "gnomon.phase.count";
inline constexpr char Instructions[] = "gnomon.instructions";
/// Module flag: what is skipped rests on written files not being read (bursts/WrittenFiles.h).
inline constexpr char ChecksFiles[] = "gnomon.checks.files";
/// Module flag: the same of what is skipped where decisions are given.
inline constexpr char ChecksFilesGiven[] = "gnomon.checks.files.given";
/// Keeps the optimiser from taking the counter for a variable of one function; gone in the end.
inline constexpr char InstructionsReader[] = "gnomon.instructions.read";
inline constexpr char Record[] = "gnomon.record";
inline constexpr char Register[] = "gnomon.register";
inline constexpr char UserMain[] = "gnomon.main";

/// Attribute of a call that assigns an array whose shape and memory stay (bursts/Assignments.h).
inline constexpr char Conforming[] = "gnomon-conforming";

/// COMMON blocks of mpif.h whose address is a value (MPI_BOTTOM, MPI_IN_PLACE). Each program that
/// includes mpif.h defines them, libgnomon.so too: they stay shared and exported, so that the
/// dynamic linker makes them one.
inline constexpr char SentinelPrefix[] = "gnomon_mpi_";

} // namespace gnomon::names
