! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: Fortran's side of process creation: lists of arguments end with a blank, arrays of codes and of lists work, and the
! constants that stand for nothing do.
program spawn_f08
  use mpi_f08
  implicit none
  character(len=256) :: self, word
  character(len=20) :: arguments(3), lists(2, 2), commands(2)*256
  character(len=MPI_MAX_PORT_NAME) :: port, found
  type(MPI_Comm) :: parent, children
  type(MPI_Info) :: infos(2)
  integer :: codes(3), counts(2), rank, ranks, workers, number, total, ierror
  call MPI_Init()
  call MPI_Comm_get_parent(parent)
  call get_command_argument(0, self)
  if (parent /= MPI_COMM_NULL) then
    call work()
  else
    call manage()
  end if
  call MPI_Finalize()
contains
  subroutine manage()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    arguments = [character(len=20) :: "first word", "second", " "]
    codes = -1
    call MPI_Comm_spawn(self, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, codes)
    call expect(all(codes(1:2) == MPI_SUCCESS) .and. codes(3) == -1, "codes")
    call collect(2 * (2 * 1000 + 10 + 6))
    call MPI_Comm_spawn(self, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, MPI_ERRCODES_IGNORE)
    call collect(0)
    commands = self
    counts = [1, 2]
    infos = MPI_INFO_NULL
    lists(1, :) = [character(len=20) :: "abc", " "]
    lists(2, :) = [character(len=20) :: " ", "not seen"]
    call MPI_Comm_spawn_multiple(2, commands, lists, counts, infos, 0, MPI_COMM_WORLD, children, codes)
    call expect(all(codes == MPI_SUCCESS), "codes of several")
    call collect(1000 + 3)
    call MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, counts, infos, 0, MPI_COMM_WORLD, children, codes)
    call collect(0)
    call meet()
    if (rank == 0) then
      call MPI_Open_port(MPI_INFO_NULL, port)
      call MPI_Publish_name("name", MPI_INFO_NULL, port)
      call MPI_Lookup_name("name", MPI_INFO_NULL, found)
      call expect(found == port .and. len_trim(port) > 0, "port")
      call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
      call MPI_Lookup_name("other", MPI_INFO_NULL, found, ierror)
      call expect(ierror == MPI_ERR_NAME, "unknown name")
      call MPI_Unpublish_name("name", MPI_INFO_NULL, port)
      call MPI_Close_port(port)
      print '(a)', "spawn_f08: PASSED"
    end if
  end subroutine

  ! Ranks 0 and 1 find each other at a port; what is no port and no socket is refused.
  subroutine meet()
    type(MPI_Comm) :: inter
    integer :: mine, theirs
    if (rank == 0) call MPI_Open_port(MPI_INFO_NULL, port)
    call MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHARACTER, 0, MPI_COMM_WORLD)
    if (ranks > 1 .and. rank < 2) then
      if (rank == 0) call MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, inter)
      if (rank == 1) call MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, inter)
      mine = 40 + rank
      call MPI_Sendrecv(mine, 1, MPI_INTEGER, 0, 0, theirs, 1, MPI_INTEGER, 0, 0, inter, MPI_STATUS_IGNORE)
      call expect(theirs == 41 - rank, "the other side")
      call MPI_Comm_disconnect(inter)
    end if
    call MPI_Barrier(MPI_COMM_WORLD)
    if (rank == 0) call MPI_Close_port(port)
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
    call MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, inter, ierror)
    call expect(ierror == MPI_ERR_PORT, "no port to connect to")
    call MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, inter, ierror)
    call expect(ierror == MPI_ERR_PORT, "no port to accept at")
    call MPI_Comm_join(-1, inter, ierror)
    call expect(ierror == MPI_ERR_ARG, "no socket")
  end subroutine

  ! 1000 for each argument, and their lengths.
  subroutine work()
    integer :: i, length
    number = 0
    do i = 1, command_argument_count()
      call get_command_argument(i, word, length)
      number = number + 1000 + length
    end do
    call MPI_Reduce(number, total, 1, MPI_INTEGER, MPI_SUM, 0, parent)
    call MPI_Comm_disconnect(parent)
    call expect(parent == MPI_COMM_NULL, "disconnected")
  end subroutine

  subroutine collect(expected)
    integer, intent(in) :: expected
    total = -1
    call MPI_Comm_remote_size(children, workers)
    if (rank == 0) then
      call MPI_Reduce(number, total, 1, MPI_INTEGER, MPI_SUM, MPI_ROOT, children)
      call expect(total == expected, "arguments")
    else
      call MPI_Reduce(number, total, 1, MPI_INTEGER, MPI_SUM, MPI_PROC_NULL, children)
    end if
    call MPI_Comm_disconnect(children)
  end subroutine

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    print '(2a)', "not so: ", what
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine
end program
