! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: members of a COMMON block stay apart where every access says which it is.
! RUN: flang --no-default-config -O1 -g %s -S -emit-llvm -o %t.ll
! RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=_QQmain>,gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
subroutine set(i)
  integer :: i
  real(8) :: u(100), v(100)
  common /work/ u, v
  u(i) = 1 ! @u
  v(i) = 2 ! @v
end subroutine
subroutine other(i)
  integer :: i
  real(8) :: first(100), second(100)
  common /work/ first, second
  second(i) = 3 ! @second
end subroutine
program main
  integer :: i
  read (*, *) i
  call set(i)
  if (i > 3) call other(i + 1)
  call show(i)
end program
subroutine show(i)
  integer :: i
  real(8) :: u(100), v(100)
  common /work/ u, v
  print *, u(i), v(i)
end subroutine
! APART: u v
! APART: u second
! MEET: v second
