! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: variables that EQUIVALENCE overlays are one memory.
! RUN: flang --no-default-config -O1 -g %s -S -emit-llvm -o %t.ll
! RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=_QQmain>,gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
program main
  real(8) :: x(10)
  integer :: k(20), other(20), n
  equivalence (x, k)
  save :: x, k, other
  read (*, *) n
  k(n) = 1 ! @k
  other(n) = 2 ! @other
  if (x(n) > 1) & ! @x
    print *, 'x'
  print *, other
end program
! MEET: k x
! APART: k other
