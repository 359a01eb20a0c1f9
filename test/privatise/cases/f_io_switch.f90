! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: ranks may change places in the middle of an I/O statement (a function in its list calls MPI): each statement's
! unit, position and format are its rank's own. NAMELIST and list input too.
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
  integer :: me, a, b, i
  character(64) :: name, line
  integer, save :: values(3)
  namelist /input/ values
  me = rank_number()
  write(name, '(a,i0,a)') 'f_io_switch.', me, '.tmp'
  open(10, file=name, status='replace', action='readwrite', form='formatted')
  do i = 1, 3
    write(10, '(i6, i6)') switching(me), switching(me * 10 + i)
    write(*, '(a)', advance='no') ''
    write(line, *) 'line', switching(i)
    read(line(index(line, 'e') + 1:), *) b
    if (b /= i) stop 1
  end do
  rewind(10)
  do i = 1, 3
    read(10, *) a, b
    call rank_switch()
    if (a /= me .or. b /= me * 10 + i) stop 2
  end do
  rewind(10)
  values = me
  write(10, nml=input)
  rewind(10)
  values = -1
  call rank_switch()
  read(10, nml=input)
  if (any(values /= me)) stop 3
  close(10, status='delete')
  print *, 'rank', switching(me)
contains
  integer function switching(value)
    integer, intent(in) :: value
    call rank_switch()
    switching = value
    call rank_switch()
  end function
end program
