! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: two allocatable arrays of a module stay apart; a dummy argument meets its actual one.
! RUN: flang --no-default-config -O1 -g %s -S -emit-llvm -o %t.ll
! RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=_QQmain>,gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
module data
  real(8), allocatable :: a(:), b(:)
contains
  subroutine scale(x)
    real(8), intent(inout) :: x(:)
    integer :: i
    do i = 1, size(x)
      x(i) = 2 * i ! @dummy
    end do
  end subroutine
end module
program main
  use data
  integer :: n
  read (*, *) n
  allocate (a(n), b(n))
  call scale(a)
  b(n) = 1 ! @b
  a(n) = 3 ! @a
  print *, a(1), b(1)
end program
! MEET: dummy a
! APART: dummy b
! APART: a b
