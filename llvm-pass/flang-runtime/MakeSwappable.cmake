# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Copies the archive INPUT to OUTPUT with the sections of its mutable statics renamed to gn_swap.
#   cmake -D INPUT=… -D OUTPUT=… -D READELF=… -D OBJCOPY=… -P MakeSwappable.cmake

execute_process(COMMAND "${READELF}" -SW "${INPUT}" OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " \\.(bss|data)\\.[^ ]+ +[A-Z]+ +[0-9a-f]+ +[0-9a-f]+ +[0-9a-f]+" sections "${headers}")

set(renames "")
foreach(section IN LISTS sections)
  string(REGEX REPLACE "^ ([^ ]+) .*" "\\1" name "${section}")
  # Tables of keywords inside functions are never written; the registry of allocators is the process's.
  if(name MATCHES "^\\.data\\.rel|^\\.data\\._ZZ|allocatorRegistry")
    continue()
  endif()
  list(APPEND renames --rename-section "${name}=gn_swap")
endforeach()
list(LENGTH renames words)
if(words LESS 20)
  message(FATAL_ERROR "${INPUT}: found too few mutable statics; is it the Fortran runtime of LLVM 22?")
endif()

get_filename_component(folder "${OUTPUT}" DIRECTORY)
file(MAKE_DIRECTORY "${folder}")
execute_process(COMMAND "${OBJCOPY}" ${renames} "${INPUT}" "${OUTPUT}.new" COMMAND_ERROR_IS_FATAL ANY)
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
