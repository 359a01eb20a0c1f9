# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes libgnomon's version script to OUTPUT: MPI in all its spellings, the pass's hooks, what
# gnomon/smpi/smpi.h declares, and the names listed in the file NAMES, one a line. Everything else is local.
file(STRINGS ${NAMES} names)
set(lines "    MPI_*;\n    PMPI_*;\n    mpi_*;\n    pmpi_*;\n    gnomon_*;\n    smpi_*;\n")
foreach(name IN LISTS names)
  string(APPEND lines "    ${name};\n")
endforeach()
file(WRITE ${OUTPUT} "{\n  global:\n${lines}  local:\n    *;\n};\n")
