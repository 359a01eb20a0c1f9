! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a 2-D halo code as hydrodynamics mini-apps write it: every rank reads the same input file on the same unit,
! opens a file of its own on one unit number, packs halos into module arrays, and the total is conserved.
module chunk_module
  use mpi
  implicit none
  integer, parameter :: in_unit = 21, out_unit = 31
  type chunk_type
    integer :: left, right, bottom, top
    integer(8), dimension(:, :), pointer :: energy => null(), flux => null()
  end type chunk_type
  type(chunk_type) :: chunk
  integer(8), allocatable, dimension(:) :: send_buffer, receive_buffer
  integer :: cells = 0, steps = 0, rank, size
  logical :: verbose = .false.
contains
  subroutine read_input()
    character(len=80) :: line, key
    integer :: status, at
    open (unit=in_unit, file='cloud.in', action='READ', status='OLD', iostat=status)
    if (status /= 0) error stop 'cannot open cloud.in'
    do
      read (in_unit, '(a)', iostat=status) line
      if (status /= 0) exit
      at = index(line, '=')
      if (at == 0) cycle
      key = adjustl(line(:at - 1))
      if (key == 'cells') read (line(at + 1:), *) cells
      if (key == 'steps') read (line(at + 1:), *) steps
    end do
    close (in_unit)
  end subroutine read_input

  subroutine swap(to, from, column, row, halo_column, halo_row)
    integer, intent(in) :: to, from, column, row, halo_column, halo_row
    integer :: requests(2), error
    ! One of column and row is 0: that whole line of cells travels.
    if (column > 0) send_buffer = chunk%energy(column, 1:cells)
    if (row > 0) send_buffer = chunk%energy(1:cells, row)
    receive_buffer = 0
    call MPI_Isend(send_buffer, cells, MPI_INTEGER8, to, 1, MPI_COMM_WORLD, requests(1), error)
    call MPI_Irecv(receive_buffer, cells, MPI_INTEGER8, from, 1, MPI_COMM_WORLD, requests(2), error)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    if (from == MPI_PROC_NULL) return
    if (column > 0) chunk%energy(halo_column, 1:cells) = receive_buffer
    if (row > 0) chunk%energy(1:cells, halo_row) = receive_buffer
  end subroutine swap

  ! A quarter of each difference flows to the poorer side; the walls are mirrors, so nothing is lost.
  subroutine advance()
    integer :: i, j
    associate (e => chunk%energy, f => chunk%flux)
      e(0, :) = e(1, :)
      e(cells + 1, :) = e(cells, :)
      e(:, 0) = e(:, 1)
      e(:, cells + 1) = e(:, cells)
      call swap(chunk%right, chunk%left, cells, 0, 0, 0)
      call swap(chunk%left, chunk%right, 1, 0, cells + 1, 0)
      call swap(chunk%top, chunk%bottom, 0, cells, 0, 0)
      call swap(chunk%bottom, chunk%top, 0, 1, 0, cells + 1)
      do j = 1, cells
        do i = 1, cells
          f(i, j) = (e(i - 1, j) - e(i, j))/4 + (e(i + 1, j) - e(i, j))/4 + (e(i, j - 1) - e(i, j))/4 &
                    + (e(i, j + 1) - e(i, j))/4
        end do
      end do
      e(1:cells, 1:cells) = e(1:cells, 1:cells) + f(1:cells, 1:cells)
    end associate
  end subroutine advance

  integer(8) function total()
    integer(8) :: mine
    integer :: error
    mine = sum(chunk%energy(1:cells, 1:cells))
    call MPI_Allreduce(mine, total, 1, MPI_INTEGER8, MPI_SUM, MPI_COMM_WORLD, error)
  end function total

  ! Reads back what this rank wrote on its unit: 0 when it is all there.
  integer function log_errors()
    integer :: step, logged_rank, logged_step
    rewind (out_unit)
    log_errors = 0
    do step = 1, steps
      read (out_unit, *) logged_rank, logged_step
      if (logged_rank /= rank .or. logged_step /= step) log_errors = log_errors + 1
    end do
    close (out_unit, status='DELETE')
  end function log_errors
end module chunk_module

program cloud
  use chunk_module
  implicit none
  integer :: error, dims(2), step, x, y, i, j, wrong, all_wrong
  integer(8) :: before, after
  character(len=20) :: name
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)
  call read_input()
  dims = 0
  call MPI_Dims_create(size, 2, dims, error)
  x = mod(rank, dims(1))
  y = rank/dims(1)
  chunk%left = merge(rank - 1, MPI_PROC_NULL, x > 0)
  chunk%right = merge(rank + 1, MPI_PROC_NULL, x < dims(1) - 1)
  chunk%bottom = merge(rank - dims(1), MPI_PROC_NULL, y > 0)
  chunk%top = merge(rank + dims(1), MPI_PROC_NULL, y < dims(2) - 1)
  allocate (chunk%energy(0:cells + 1, 0:cells + 1), chunk%flux(cells, cells))
  allocate (send_buffer(cells), receive_buffer(cells))
  forall (i=0:cells + 1, j=0:cells + 1) chunk%energy(i, j) = 1000*modulo(rank*31 + i*7 + j*3, 101)
  write (name, '(a,i5.5)') 'cloud.out.', rank
  open (unit=out_unit, file=name, action='READWRITE', status='REPLACE')
  before = total()
  do step = 1, steps
    call advance()
    write (out_unit, *) rank, step, sum(chunk%energy(1:cells, 1:cells))
  end do
  after = total()
  wrong = log_errors()
  call MPI_Reduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
  if (rank == 0) print '(a,i0,a,i0,2a)', 'cloud: total ', after, ', wrong log lines ', all_wrong, ': ', &
    merge('PASSED', 'FAILED', after == before .and. all_wrong == 0 .and. steps > 0)
  call MPI_Finalize(error)
end program cloud
