! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a member of COMMON that is passed as an argument may be overrun into the next one.
! RUN: flang --no-default-config -O1 -g %s -S -emit-llvm -o %t.ll
! RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=_QQmain>,gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
subroutine fill(x, n)
  integer :: n, i
  real(8) :: x(n)
  do i = 1, n
    x(i) = i ! @dummy
  end do
end subroutine
program main
  real(8) :: u(100), v(100)
  integer :: n
  common /work/ u, v
  read (*, *) n
  call fill(u, n)
  v(n) = 1 ! @v
  print *, u(n)
end program
! MEET: dummy v
