# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What every target of the project shares: language level, warnings, and the staging prefix.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# The staging prefix mirrors an installation: bin/, lib/, include/gnomon/, share/gnomon/, libexec/.
set(GNOMON_PREFIX "${CMAKE_BINARY_DIR}/prefix")

find_package(fmt REQUIRED)

add_library(gnomon_options INTERFACE)
# Nothing of fmt is linked: the runtime lives inside the user's process. Room support compiles fmt's code (Format.cpp).
target_include_directories(gnomon_options SYSTEM INTERFACE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_options(gnomon_options INTERFACE -Wall -Wextra -Wno-unused-parameter)
# Frame pointers are for profilers and sanitizers; a release has none: three instructions a call, of thirty calls a message.
# Reports walk stacks by the tables for exceptions.
target_compile_options(gnomon_options INTERFACE
  $<IF:$<CONFIG:Release>,-fomit-frame-pointer,-fno-omit-frame-pointer>)
if(GNOMON_WERROR)
  target_compile_options(gnomon_options INTERFACE -Werror)
endif()
if(GNOMON_SANITIZE)
  target_compile_options(gnomon_options INTERFACE -fsanitize=${GNOMON_SANITIZE})
  target_link_options(gnomon_options INTERFACE -fsanitize=${GNOMON_SANITIZE})
endif()

# gnomon_precompile(NAME HEADER…): headers that most C++ sources of a target include are parsed once, where
# GNOMON_PRECOMPILE asks for it. The preset dev does not, so that a source which lacks an include of its own is found.
function(gnomon_precompile name)
  if(GNOMON_PRECOMPILE)
    list(TRANSFORM ARGN REPLACE ">" "$<ANGLE-R>")
    list(TRANSFORM ARGN REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>")
    target_precompile_headers(${name} PRIVATE ${ARGN})
  endif()
endfunction()

# gnomon_precompiled_like(NAME OTHER): the target NAME takes the headers that OTHER has parsed, if any are.
function(gnomon_precompiled_like name other)
  if(GNOMON_PRECOMPILE)
    target_precompile_headers(${name} REUSE_FROM ${other})
  endif()
endfunction()

# A unit test's own code is compiled as it stands: half of the compiler's time went into optimising assertions. The
# rooms that it tests are optimised as ever.
set(gnomon_unit_test_options $<$<CONFIG:Release>:-O0>)

# What all rooms parse, and all unit tests: once for each kind, since the two are compiled with different options.
set(gnomon_common_headers <algorithm> <array> <cstdint> <cstring> <deque> <functional> <map> <memory> <optional> <set> <span>
                          <string> <string_view> <unordered_map> <vector> <fmt/format.h>)
if(GNOMON_PRECOMPILE)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled.cpp CONTENT "// Nothing but headers is compiled here.\n")
  add_library(gnomon_precompiled_room OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
  set_target_properties(gnomon_precompiled_room PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_link_libraries(gnomon_precompiled_room PRIVATE gnomon_options)
  gnomon_precompile(gnomon_precompiled_room ${gnomon_common_headers})
  if(GNOMON_TESTS)
    add_library(gnomon_precompiled_test OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
    target_link_libraries(gnomon_precompiled_test PRIVATE gnomon_options GTest::gtest_main GTest::gmock)
    # As executables are compiled, which the tests are.
    set_target_properties(gnomon_precompiled_test PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(gnomon_precompiled_test PRIVATE -fPIE ${gnomon_unit_test_options})
    gnomon_precompile(gnomon_precompiled_test ${gnomon_common_headers} <gtest/gtest.h> <gmock/gmock.h>)
  endif()
endif()

# gnomon_room(NAME SOURCES a.cpp… [USES room…] [LIBRARIES lib…])
# One room of runtime/: an object library that may include only the rooms it USES.
# Include paths are runtime/ (as "room/File.h"), runtime/include, and what room api generates: "impl/Impl.h" and
# "mpi.h". Symbols are hidden by default.
function(gnomon_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;USES;LIBRARIES" ${ARGN})
  add_library(gnomon_${name} OBJECT ${ROOM_SOURCES})
  set_target_properties(gnomon_${name} PROPERTIES CXX_VISIBILITY_PRESET hidden C_VISIBILITY_PRESET hidden
                        VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(gnomon_${name} PUBLIC ${CMAKE_SOURCE_DIR}/runtime ${CMAKE_SOURCE_DIR}/runtime/include
                             ${CMAKE_BINARY_DIR}/generated ${GNOMON_PREFIX}/include/gnomon)
  add_dependencies(gnomon_${name} gnomon_api_headers)
  target_link_libraries(gnomon_${name} PRIVATE gnomon_options ${ROOM_LIBRARIES})
  gnomon_precompiled_like(gnomon_${name} gnomon_precompiled_room)
  if(GNOMON_LTO)
    # Bitcode, which libgnomon links, and machine code beside it, which all others do: unit tests, the driver.
    target_compile_options(gnomon_${name} PRIVATE -flto=thin -ffat-lto-objects)
  endif()
  set_property(GLOBAL APPEND PROPERTY GNOMON_ROOMS gnomon_${name})
  set_property(GLOBAL PROPERTY GNOMON_ROOM_${name}_USES "${ROOM_USES}")
  set_property(GLOBAL PROPERTY GNOMON_ROOM_${name}_LIBRARIES "${ROOM_LIBRARIES}")
endfunction()

# All rooms that `rooms` stand on, themselves included (transitive), as names without prefix.
function(gnomon_rooms_closure out)
  set(seen "")
  set(todo ${ARGN})
  while(todo)
    list(POP_FRONT todo room)
    if(NOT room IN_LIST seen)
      list(APPEND seen ${room})
      get_property(uses GLOBAL PROPERTY GNOMON_ROOM_${room}_USES)
      list(APPEND todo ${uses})
    endif()
  endwhile()
  set(${out} "${seen}" PARENT_SCOPE)
endfunction()

# gnomon_unit_test(NAME SOURCES a.cpp… ROOMS room…): a GoogleTest program over some rooms (and those below them).
function(gnomon_unit_test name)
  if(NOT GNOMON_TESTS)
    return()
  endif()
  cmake_parse_arguments(TEST "" "" "SOURCES;ROOMS;LIBRARIES" ${ARGN})
  gnomon_rooms_closure(rooms ${TEST_ROOMS})
  add_executable(${name} ${TEST_SOURCES})
  foreach(room IN LISTS rooms)
    target_link_libraries(${name} PRIVATE gnomon_${room})
    get_property(libraries GLOBAL PROPERTY GNOMON_ROOM_${room}_LIBRARIES)
    target_link_libraries(${name} PRIVATE ${libraries})
  endforeach()
  target_link_libraries(${name} PRIVATE gnomon_options GTest::gtest_main GTest::gmock)
  target_compile_options(${name} PRIVATE ${gnomon_unit_test_options})
  gnomon_precompiled_like(${name} gnomon_precompiled_test)
  include(GoogleTest)
  gtest_discover_tests(${name} PROPERTIES LABELS unit TIMEOUT 1200 DISCOVERY_TIMEOUT 600)
endfunction()

# gnomon_benchmark(NAME SOURCES a.cpp… ROOMS room…): a Google Benchmark program; built with the tests, run by hand.
function(gnomon_benchmark name)
  if(NOT GNOMON_TESTS)
    return()
  endif()
  cmake_parse_arguments(BENCH "" "" "SOURCES;ROOMS;LIBRARIES" ${ARGN})
  gnomon_rooms_closure(rooms ${BENCH_ROOMS})
  add_executable(${name} EXCLUDE_FROM_ALL ${BENCH_SOURCES})
  foreach(room IN LISTS rooms)
    get_property(libraries GLOBAL PROPERTY GNOMON_ROOM_${room}_LIBRARIES)
    target_link_libraries(${name} PRIVATE gnomon_${room} ${libraries})
  endforeach()
  target_link_libraries(${name} PRIVATE gnomon_options benchmark benchmark_main ${BENCH_LIBRARIES})
endfunction()

# gnomon_schema(FILE…): JSON Schemas of what Gnomon writes, staged and installed under share/gnomon/schema.
function(gnomon_schema)
  foreach(file IN LISTS ARGN)
    cmake_path(GET file FILENAME name)
    configure_file(${file} ${GNOMON_PREFIX}/share/gnomon/schema/${name} COPYONLY)
    install(FILES ${file} DESTINATION share/gnomon/schema)
  endforeach()
endfunction()
