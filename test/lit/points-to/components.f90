! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: allocatable components of a derived type stay apart.
! RUN: flang --no-default-config -O1 -g %s -S -emit-llvm -o %t.ll
! RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=_QQmain>,gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
module types
  type field
    real(8), allocatable :: density(:)
    integer, allocatable :: index(:)
    integer :: count
  end type
end module
program main
  use types
  type(field) :: one
  integer :: n
  read (*, *) n
  allocate (one%density(n), one%index(n))
  one%count = n ! @count
  one%density(n) = 1 ! @density
  one%index(n) = 2 ! @index
  print *, one%density(1), one%index(1), one%count
end program
! APART: density index
! APART: density count
