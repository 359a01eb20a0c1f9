// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "patterns/Plan.h"

#include "trace-formats/RecordView.h"

#include <algorithm>

namespace gnomon::patterns {
namespace {

using slices::Effect;
using trace::Field;
using trace::Kind;

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Collectives by their fields that are none of the regular ones: they name ranks by numbers, or
/// processes outside the trace's first ones.
bool isIrregular(std::string_view name) {
  if (isOneOf(name,
              {"MPI_Graph_create", "MPI_Graph_map", "MPI_Cart_map", "MPI_Comm_create_group",
               "MPI_Comm_split_type", "MPI_Comm_accept", "MPI_Comm_connect", "MPI_Comm_join"}))
    return true;
  for (const std::string_view begin :
       {"MPI_Dist_graph", "MPI_Intercomm", "MPI_Comm_spawn", "MPI_Comm_create_from", "MPI_Session",
        "MPI_Win", "MPI_File", "MPI_Group"})
    if (name.starts_with(begin))
      return true;
  return false;
}

Role roleOf(const trace::Function &function, const Field &field, bool perMember) {
  switch (field.kind) {
  case Kind::Peer:
    return field.name == "root" ? Role::Root : Role::Peer;
  case Kind::Comm:
    return Role::Comm;
  case Kind::Set:
    return Role::Set;
  case Kind::Number:
    if (function.name == "MPI_Cart_create" && field.name == "dims")
      return Role::Extents;
    if (function.name == "MPI_Comm_split" && (field.name == "color" || field.name == "key"))
      return Role::Split;
    return field.list && perMember ? Role::Members : Role::Same;
  case Kind::Count:
  case Kind::Size:
    return field.list && perMember ? Role::Members : Role::Same;
  default:
    return Role::Same;
  }
}

Plan planOf(const trace::Function &function) {
  Plan plan;
  trace::RecordView view;
  const std::vector<int64_t> zeros(function.fields.size()); // of lists the lengths
  view.set(function, {0, zeros});
  plan.isVolume = trace::isVolume(function.name);
  plan.effect = slices::effectOf(view);
  for (const std::string_view name : {"comm", "comm_old"})
    if (plan.comm == Plan::None && view.has(name))
      plan.comm = view.find(name);
  if (plan.effect == Effect::Unknown || isIrregular(function.name))
    plan.refusal = "it is none of the calls whose rule is known: messages, collectives, and "
                   "communicators and grids made of others";
  const bool perMember = plan.effect == Effect::Collective &&
                         function.name.find("eighbor") == std::string::npos &&
                         !function.name.starts_with("MPI_C");
  for (const Field &field : function.fields) {
    plan.roles.push_back(roleOf(function, field, perMember));
    if (field.kind == Kind::Peer && (plan.comm == Plan::None || field.list))
      plan.refusal = "it names ranks, and not in which communicator";
  }
  return plan;
}

} // namespace

std::vector<Plan> plansOf(const trace::Source &source) {
  std::vector<Plan> plans;
  for (const trace::Function &function : source.functions())
    plans.push_back(planOf(function));
  return plans;
}

} // namespace gnomon::patterns
