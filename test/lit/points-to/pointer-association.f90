! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a Fortran pointer meets its targets.
! RUN: flang --no-default-config -O1 -g %s -S -emit-llvm -o %t.ll
! RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=_QQmain>,gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
program main
  real(8), target :: a(100), b(100), c(100)
  real(8), pointer :: p(:)
  save :: a, b, c
  integer :: n
  read (*, *) n
  if (n > 3) then
    p => a
  else
    p => b
  end if
  p(n) = 1 ! @p
  c(n) = 2 ! @c
  b(n) = 3 ! @b
  print *, a(n), b(n), c(n)
end program
! MEET: p b
! APART: p c
