! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: processes that start, meet through ports, names and sockets, and part, through Fortran: blank padding, arrays of
! CHARACTER, MPI_ARGV_NULL, MPI_ARGVS_NULL and MPI_ERRCODES_IGNORE.
#include "interface.inc"
program processes
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: rank, ranks, failures = 0, error
  COMM :: parent
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call MPI_Comm_get_parent(parent, error)
  if (parent == MPI_COMM_NULL) then
    call spawn()
    call spawn_multiple()
    if (ranks > 1) call connect()
    if (ranks > 1) call join()
    call finish('processes')
  else
    call child()
    call MPI_Finalize(error)
  end if
contains
#include "check.inc"

  !> Tells the parents how many arguments came, and their lengths.
  subroutine child()
    integer :: facts(2), i, length
    character(40) :: text
    facts = [command_argument_count(), 0]
    do i = 1, facts(1)
      call get_command_argument(i, text, length)
      facts(2) = 100 * facts(2) + length
    end do
    call MPI_Send(facts, 2, MPI_INTEGER, 0, rank, parent, error)
    call MPI_Comm_disconnect(parent, error)
  end subroutine

  !> What child() of each of so many children tells.
  subroutine expect(inter, children, count, lengths, what)
    COMM, intent(inout) :: inter
    integer, intent(in) :: children, count(:), lengths(:)
    character(*), intent(in) :: what
    integer :: facts(2), i, size
    call MPI_Comm_remote_size(inter, size, error)
    call check(size == children, what)
    if (rank == 0) then
      do i = 1, children
        call MPI_Recv(facts, 2, MPI_INTEGER, i - 1, i - 1, inter, MPI_STATUS_IGNORE, error)
        call check(facts(1) == count(i) .and. facts(2) == lengths(i), what // ', arguments')
      end do
    end if
    call MPI_Comm_disconnect(inter, error)
    call check(inter == MPI_COMM_NULL, 'MPI_Comm_disconnect')
  end subroutine

  subroutine spawn()
    COMM :: inter
    character(500) :: self
    character(10) :: arguments(3)
    integer :: codes(2)
    call get_command_argument(0, self)
    codes = -1
    call MPI_Comm_spawn(self, MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, inter, codes, error)
    call check(all(codes == MPI_SUCCESS), 'codes of MPI_Comm_spawn')
    call expect(inter, 2, [0, 0], [0, 0], 'MPI_Comm_spawn')
    arguments = ['one       ', 'two words ', '          ']
    call MPI_Comm_spawn(self, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, inter, MPI_ERRCODES_IGNORE, error)
    call expect(inter, 1, [2], [309], 'MPI_Comm_spawn with arguments')
  end subroutine

  subroutine spawn_multiple()
    COMM :: inter
    INFO :: infos(2)
    character(500) :: commands(2)
    character(10) :: arguments(2, 3)
    call get_command_argument(0, commands(1))
    commands(2) = commands(1)
    infos = MPI_INFO_NULL
    arguments(1, :) = ['a         ', 'bb        ', '          ']
    arguments(2, :) = ['ccc       ', '          ', '          ']
    call MPI_Comm_spawn_multiple(2, commands, arguments, [1, 1], infos, 0, MPI_COMM_WORLD, inter, MPI_ERRCODES_IGNORE, error)
    call expect(inter, 2, [2, 1], [102, 3], 'MPI_Comm_spawn_multiple')
    call MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, [1, 2], infos, 0, MPI_COMM_WORLD, inter, MPI_ERRCODES_IGNORE, error)
    call expect(inter, 3, [0, 0, 0], [0, 0, 0], 'MPI_Comm_spawn_multiple without arguments')
  end subroutine

  !> Rank 0 serves, rank 1 is the client.
  subroutine connect()
    character(MPI_MAX_PORT_NAME) :: port
    COMM :: inter
    integer :: got
    if (rank == 0) then
      call MPI_Open_port(MPI_INFO_NULL, port, error)
      call MPI_Publish_name('  the service ', MPI_INFO_NULL, port, error)
    end if
    call MPI_Barrier(MPI_COMM_WORLD, error)
    if (rank == 0) call MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, inter, error)
    if (rank == 1) then
      call MPI_Lookup_name('the service', MPI_INFO_NULL, port, error)
      call MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, inter, error)
    end if
    if (rank < 2) then
      call MPI_Sendrecv(rank, 1, MPI_INTEGER, 0, 1, got, 1, MPI_INTEGER, 0, 1, inter, MPI_STATUS_IGNORE, error)
      call check(got == 1 - rank, 'MPI_Comm_connect')
      call MPI_Comm_disconnect(inter, error)
    end if
    if (rank == 0) then
      call MPI_Unpublish_name('the service', MPI_INFO_NULL, port, error)
      call MPI_Close_port(port, error)
      call check(error == MPI_SUCCESS, 'MPI_Close_port')
    end if
  end subroutine

  !> Over a socket between ranks 0 and 1.
  subroutine join()
    use, intrinsic :: iso_c_binding, only: c_int
    interface
      integer(c_int) function socketpair(domain, kind, protocol, ends) bind(C)
        import :: c_int
        integer(c_int), value :: domain, kind, protocol
        integer(c_int) :: ends(2)
      end function
    end interface
    integer(c_int) :: ends(2)
    integer :: got
    COMM :: inter
    if (rank == 0) call check(socketpair(1, 1, 0, ends) == 0, 'socketpair')
    call MPI_Bcast(ends, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    if (rank > 1) return
    call MPI_Comm_join(ends(rank + 1), inter, error)
    call MPI_Sendrecv(rank, 1, MPI_INTEGER, 0, 1, got, 1, MPI_INTEGER, 0, 1, inter, MPI_STATUS_IGNORE, error)
    call check(got == 1 - rank, 'MPI_Comm_join')
    call MPI_Comm_disconnect(inter, error)
  end subroutine
end program
