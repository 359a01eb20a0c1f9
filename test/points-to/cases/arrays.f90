! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Allocatables, pointers, derived types, COMMON, EQUIVALENCE, sections, internal units.
module fields
  implicit none
  type part
    real(8), allocatable :: values(:, :)
    integer, pointer :: index(:) => null()
    real(8) :: origin(3) = 0
    type(part), pointer :: next => null()
  end type
  type(part), allocatable, target :: parts(:)
  real(8), allocatable :: density(:)
contains
  subroutine smooth(a)
    real(8), intent(inout) :: a(:)
    integer :: i
    do i = 2, size(a) - 1
      a(i) = (a(i - 1) + a(i + 1)) / 2
    end do
  end subroutine
  function newest(n) result(list)
    integer, intent(in) :: n
    integer, pointer :: list(:)
    integer :: i
    allocate (list(n))
    do i = 1, n
      list(i) = n + 1 - i
    end do
  end function
  recursive real(8) function walk(p) result(total)
    type(part), intent(in), target :: p
    total = sum(p%values) + sum(p%origin)
    if (associated(p%next)) total = total + walk(p%next)
  end function
end module
subroutine fill(x, n)
  integer :: n, i
  real(8) :: x(n)
  do i = 1, n
    x(i) = i * 1.5d0
  end do
end subroutine
program main
  use fields
  implicit none
  real(8) :: u(20), v(20), w(20), overlay(10), result
  integer :: words(20), i, n
  character(30) :: text
  common /work/ u, v, n
  equivalence (overlay, words)
  n = 12
  allocate (parts(3), density(n))
  do i = 1, 3
    allocate (parts(i)%values(i, n))
    parts(i)%values = i
    parts(i)%index => newest(i + 2)
    parts(i)%origin(i) = n
    if (i > 1) parts(i - 1)%next => parts(i)
  end do
  call random_fill()
  call smooth(density)
  call smooth(density(1:n:2))
  call fill(u, n)
  call fill(v(3), n)
  w = u + v
  words = 3
  result = overlay(2) + sum(w) + sum(density) + walk(parts(1))
  do i = 1, 3
    result = result + parts(i)%index(parts(i)%index(1)) + sum(matmul(parts(i)%values, transpose(parts(i)%values)))
  end do
  write (text, '(i6,f12.4)') n, u(3)
  read (text, *) i, w(1)
  result = result + w(1) + i
  print *, result
contains
  subroutine random_fill()
    integer :: k
    do k = 1, n
      density(k) = mod(k * 7, 5)
    end do
  end subroutine
end program
