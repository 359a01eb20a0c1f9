# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Programs written to break the pass: what C and C++ allow and few people write.
privatise_case(odd-alias COMPILER clang SOURCES ../odd/c_alias.c)
privatise_case(odd-alias-no-pie COMPILER clang SOURCES ../odd/c_alias.c OPTIONS -no-pie -fno-pie)
privatise_case(odd-goto COMPILER clang SOURCES ../odd/c_goto.c)
privatise_case(odd-layout COMPILER clang SOURCES ../odd/c_layout.c)
privatise_case(odd-layout-no-pie COMPILER clang SOURCES ../odd/c_layout.c OPTIONS -no-pie -fno-pie)
privatise_case(odd-section COMPILER clang SOURCES ../odd/c_section.c)
privatise_case(odd-gather COMPILER clang SOURCES ../odd/c_gather.c OPTIONS -march=native)
privatise_case(odd-clones COMPILER clang SOURCES ../odd/c_clones.c)
privatise_case(odd-jumps COMPILER clang SOURCES ../odd/c_jumps.c)
privatise_case(odd-cxx COMPILER clang++ SOURCES ../odd/cxx_odd.cpp OPTIONS -std=c++20)
