! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: Fortran's variables with static storage have one copy per rank: of modules, with implicit and explicit SAVE,
! in COMMON (of different sizes), DATA, EQUIVALENCE, allocatable and pointer arrays of modules, derived types.
module ranks
  use iso_c_binding
  interface
    integer(c_int) function rank_number() bind(c)
      import c_int
    end function
    subroutine rank_switch() bind(c)
    end subroutine
  end interface
end module

module state
  implicit none
  integer :: plain
  integer :: initialised = 5
  real(8) :: field(50) = 1.0d0
  real(8), allocatable :: grid(:, :)
  integer, target :: aim = 3
  integer, pointer :: arrow => aim
  type point
    integer :: x = 1, y = 2
    real, allocatable :: list(:)
  end type
  type(point) :: corner
  character(8) :: label = 'start'
  logical, private :: secret = .false.
  integer, parameter :: fixed = 42
contains
  integer function next()
    integer, save :: counter = 10   ! explicit
    integer :: calls = 0            ! implicit SAVE
    calls = calls + 1
    counter = counter + calls
    next = counter
  end function
  subroutine hide(on)
    logical, intent(in) :: on
    secret = on
  end subroutine
  logical function hidden()
    hidden = secret
  end function
end module

block data init
  common /shared/ numbers(4), scale
  integer numbers
  real(8) scale
  data numbers /1, 2, 3, 4/, scale /2.5d0/
end block data

subroutine longer(me)
  common /blank2/ big(100)
  integer big
  integer me
  big(100) = me
end subroutine

integer function longest()
  common /blank2/ big(100)
  integer big
  longest = big(100)
end function

program main
  use ranks
  use state
  implicit none
  common /shared/ numbers(4), scale
  integer numbers
  real(8) scale
  common /blank2/ small(2)
  integer small
  common unnamed
  integer unnamed
  integer, external :: longest
  integer :: me, bad, i
  integer, save :: whole(2) = 0
  integer(2) :: halves(4)
  equivalence (whole, halves)
  integer :: table(3)
  data table /7, 8, 9/
  bad = 0
  me = rank_number()
  call check(initialised == 5 .and. all(field == 1.0d0) .and. numbers(2) == 2 .and. scale == 2.5d0, 1)
  call check(arrow == 3 .and. corner%y == 2 .and. label == 'start' .and. .not. allocated(grid), 2)
  call rank_switch()
  plain = me
  initialised = me
  field = me
  allocate(grid(me + 1, 2))
  grid = me
  arrow = me
  corner%x = me
  allocate(corner%list(me + 2))
  write(label, '(i4)') me
  call hide(me == 1)
  numbers(me + 1) = -me
  scale = me
  small(1) = me
  unnamed = me
  call longer(me)
  whole(1) = 65536 + me
  table(1) = me
  do i = 1, me
    if (next() < 0) bad = 1
  end do
  call rank_switch()
  call check(plain == me .and. initialised == me .and. all(field == me), 3)
  call check(size(grid, 1) == me + 1 .and. all(grid == me), 4)
  call check(aim == me .and. arrow == me .and. corner%x == me .and. size(corner%list) == me + 2, 5)
  read(label, *) i
  call check(i == me .and. (hidden() .eqv. (me == 1)) .and. fixed == 42, 6)
  call check(numbers(me + 1) == -me .and. numbers(mod(me + 1, 4) + 1) == mod(me + 1, 4) + 1 .and. scale == me, 7)
  call check(small(1) == me .and. longest() == me .and. unnamed == me, 8)
  call check(halves(1) == me .and. halves(2) == 1 .and. table(1) == me .and. table(3) == 9, 9)
  i = next()
  call check(i == 10 + (me + 1) * (me + 2) / 2, 10)
  if (bad /= 0) stop 1
contains
  subroutine check(ok, which)
    logical, intent(in) :: ok
    integer, intent(in) :: which
    if (.not. ok) then
      write(0, *) 'rank', me, ': check', which, 'failed'
      bad = 1
    end if
  end subroutine
end program
