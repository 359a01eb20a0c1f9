// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace-formats/Requests.h"

#include <algorithm>

namespace gnomon::trace {

bool completesRequests(std::string_view name) {
  static constexpr std::string_view Names[] = {"MPI_Wait",     "MPI_Waitall", "MPI_Waitany",
                                               "MPI_Waitsome", "MPI_Test",    "MPI_Testall",
                                               "MPI_Testany",  "MPI_Testsome"};
  return std::find(std::begin(Names), std::end(Names), name) != std::end(Names);
}

void requestUse(const RecordView &view, RequestUse &use) {
  use.made = 0;
  use.persistent = false;
  use.completed.clear();
  use.freed.clear();
  const std::optional<int64_t> request = view.value("request");
  const std::span<const int64_t> requests = view.list("requests");
  if (view.name() == "MPI_Request_free") {
    if (request.value_or(0) > 0)
      use.freed.push_back(*request);
    return;
  }
  if (!completesRequests(view.name())) {
    // MPI_Start and MPI_Startall name requests that are there.
    if (view.name().starts_with("MPI_Start") || view.name().starts_with("MPI_Pready") ||
        view.name().starts_with("MPI_Parrived"))
      return;
    use.made = request.value_or(0);
    use.persistent = view.name().ends_with("_init");
    return;
  }
  if (view.value("flag").value_or(1) == 0)
    return;
  const std::optional<int64_t> index = view.value("index");
  if (index) {
    if (*index >= 0 && static_cast<size_t>(*index) < requests.size())
      use.completed.push_back(requests[static_cast<size_t>(*index)]);
    return;
  }
  if (request)
    use.completed.push_back(*request);
  use.completed.insert(use.completed.end(), requests.begin(), requests.end());
  std::erase(use.completed, 0);
}

} // namespace gnomon::trace
