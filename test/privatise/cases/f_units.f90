! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: unit 10 of one rank is not unit 10 of another: each rank opens it on a file of its own, also while others
! have it open; random numbers of a rank depend on its own calls only.
program main
  use iso_c_binding
  implicit none
  interface
    integer(c_int) function rank_number() bind(c)
      import c_int
    end function
    subroutine rank_switch() bind(c)
    end subroutine
  end interface
  integer :: me, value, i
  character(32) :: name
  logical :: isOpen
  me = rank_number()
  write(name, '(a,i0,a)') 'f_units.', me, '.tmp'
  inquire(unit=10, opened=isOpen)
  if (isOpen) stop 1
  open(10, file=name, status='replace', action='readwrite')
  call rank_switch()
  do i = 1, 3
    write(10, *) me * 100 + i
    call rank_switch()
  end do
  rewind(10)
  do i = 1, 3
    read(10, *) value
    call rank_switch()
    if (value /= me * 100 + i) stop 2
  end do
  close(10, status='delete')
  call rank_switch()
  inquire(unit=10, opened=isOpen)
  if (isOpen) stop 3
end program
