! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: what is written to an internal unit lands in the variable.
! RUN: flang --no-default-config -O1 -g %s -S -emit-llvm -o %t.ll
! RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=_QQmain>,gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
program main
  character(20) :: name, other
  save :: name, other
  integer :: n, k
  read (*, *) n
  write (name, '(i8)') n ! @write
  other(n:n) = 'x' ! @other
  k = ichar(name(n:n)) ! @name
  print *, k, other
end program
! MEET: write name
! APART: write other
