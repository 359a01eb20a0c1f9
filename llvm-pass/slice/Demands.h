// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A slice as a graph: all of who needs whom, where the slice itself remembers only who asked first. And points, where
/// the slice may be cut: values that are recorded in one run and given back in another.
#pragma once

#include "points-to/PointsTo.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <utility>
#include <vector>

namespace llvm {
class Instruction;
class Use;
class Value;
} // namespace llvm

namespace gnomon {

/// Where decisions can be given. What computes them need not be right then; that they are passed must.
struct Points {
  /// Integers and truth values that code between bursts computes.
  llvm::DenseSet<const llvm::Instruction *> values;
  /// Integers that a call of MPI reads where the argument points (Fortran).
  llvm::DenseSet<const llvm::Use *> arguments;
  /// Of the values, those that code reads in memory, and leaves unread where they are given: the address may be wrong.
  llvm::DenseSet<const llvm::Instruction *> unread;

  bool empty() const { return values.empty() && arguments.empty(); }
  size_t size() const { return values.size() + arguments.size(); }
};

/// Nodes have the slice's numbers.
struct Demands {
  /// Of a node of a point: what of it cannot be given.
  enum class Through : bool { All, PassingOnly };
  struct Edge {
    int from; ///< below 0: a root
    unsigned to : 31;
    Through through : 1; ///< PassingOnly: is needed even where the point is given
  };
  struct Point {
    int node;
    const void *item; ///< the instruction, or the use
  };
  std::vector<Edge> edges;
  std::vector<Point> points;
  std::vector<std::pair<int, const llvm::Instruction *>> relevant; ///< by which node
  std::vector<std::pair<int, Cell>> memory; ///< the cells that are needed, and their nodes
  size_t nodes = 0;
};

} // namespace gnomon
