# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How tests of the whole are declared. They run what is staged under GNOMON_PREFIX, as a user would run it.

set(GNOMON_E2E "${CMAKE_CURRENT_LIST_DIR}/e2e.py" CACHE INTERNAL "")
# Seconds after which a test is ended as one that hangs: many times what any takes on a machine that is busy otherwise, since no
# verdict rests on a clock.
set(GNOMON_HANG 1800 CACHE INTERNAL "")
set(GNOMON_PYTHON /usr/bin/python3 CACHE INTERNAL "the system's Python: standard library only")

# gnomon_e2e_test(NAME SOURCE file
#   [RANKS n…]             one test per number of ranks; default 4
#   [EXPECT regex]         must match stdout
#   [ERRORS regex]         must match stderr
#   [EXIT code]            default 0; several, joined by commas: any of them
#   [OPTIONS option…]      of gnomon run
#   [ARGUMENTS argument…]  of the program
#   [COMPILE option…]      beside the flag and -O2
#   [FILES file…]          copied into the directory where the program runs
#   [ALONE]                run without gnomon run
#   [TIMEOUT seconds])     more than GNOMON_HANG
# The program is compiled once, in a test of its own (NAME.build), which the runs need.
function(gnomon_e2e_test name)
  cmake_parse_arguments(E2E "ALONE" "SOURCE;EXPECT;ERRORS;EXIT;TIMEOUT" "RANKS;OPTIONS;ARGUMENTS;COMPILE;FILES" ${ARGN})
  cmake_path(ABSOLUTE_PATH E2E_SOURCE BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set(program ${CMAKE_CURRENT_BINARY_DIR}/${name}/program)
  set(build e2e.${name}.build)
  add_test(NAME ${build} COMMAND ${GNOMON_PYTHON} ${GNOMON_E2E} build --prefix ${GNOMON_PREFIX} --output ${program}
           ${E2E_SOURCE} -- ${E2E_COMPILE})
  set_tests_properties(${build} PROPERTIES FIXTURES_SETUP ${build} LABELS e2e TIMEOUT ${GNOMON_HANG})
  set(options "")
  foreach(file IN LISTS E2E_FILES)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND options --file ${file})
  endforeach()
  foreach(expectation EXPECT ERRORS EXIT)
    if(DEFINED E2E_${expectation})
      string(TOLOWER ${expectation} option)
      list(APPEND options --${option} ${E2E_${expectation}})
    endif()
  endforeach()
  foreach(option IN LISTS E2E_OPTIONS)
    list(APPEND options --option=${option})
  endforeach()
  if(E2E_ALONE)
    list(APPEND options --alone)
  endif()
  if(NOT E2E_RANKS)
    set(E2E_RANKS 4)
  endif()
  if(NOT E2E_TIMEOUT OR E2E_TIMEOUT LESS GNOMON_HANG)
    set(E2E_TIMEOUT ${GNOMON_HANG})
  endif()
  foreach(ranks IN LISTS E2E_RANKS)
    set(test e2e.${name}.${ranks})
    add_test(NAME ${test} COMMAND ${GNOMON_PYTHON} ${GNOMON_E2E} run --prefix ${GNOMON_PREFIX} --ranks ${ranks}
             --directory ${CMAKE_CURRENT_BINARY_DIR}/${name}/${ranks} ${options} ${program} -- ${E2E_ARGUMENTS})
    set_tests_properties(${test} PROPERTIES FIXTURES_REQUIRED ${build} LABELS e2e TIMEOUT ${E2E_TIMEOUT})
  endforeach()
endfunction()

# gnomon_script_test(NAME COMMAND … [LABEL label] [TIMEOUT seconds, more than GNOMON_HANG]): a script that fails with a nonzero
# exit code and says why. GNOMON_PREFIX and GNOMON_SOURCE are in its environment.
function(gnomon_script_test name)
  cmake_parse_arguments(SCRIPT "" "LABEL;TIMEOUT" "COMMAND" ${ARGN})
  if(NOT SCRIPT_LABEL)
    set(SCRIPT_LABEL script)
  endif()
  if(NOT SCRIPT_TIMEOUT OR SCRIPT_TIMEOUT LESS GNOMON_HANG)
    set(SCRIPT_TIMEOUT ${GNOMON_HANG})
  endif()
  add_test(NAME ${name} COMMAND ${SCRIPT_COMMAND} WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS ${SCRIPT_LABEL} TIMEOUT ${SCRIPT_TIMEOUT} SKIP_RETURN_CODE 77
    ENVIRONMENT "GNOMON_PREFIX=${GNOMON_PREFIX};GNOMON_SOURCE=${CMAKE_SOURCE_DIR};GNOMON_BUILD=${CMAKE_BINARY_DIR}")
endfunction()

# gnomon_tests_first(NAME…): tests that take minutes on one processor start first, so that none of them runs on alone at the end.
function(gnomon_tests_first)
  set_tests_properties(${ARGN} PROPERTIES COST 1000)
endfunction()
