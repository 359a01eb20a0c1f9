! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! MPI-IO of Fortran, whose calls are recorded as C's.
program files
  use mpi_f08
  implicit none
  type(MPI_File) :: file
  type(MPI_Datatype) :: column
  type(MPI_Info) :: info
  integer :: rank, ranks
  real :: numbers(1000)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call MPI_Info_create(info)
  call MPI_Info_set(info, 'cb_nodes', '1')
  call MPI_File_open(MPI_COMM_WORLD, 'fortran.dat', ior(MPI_MODE_CREATE, MPI_MODE_RDWR), info, file)
  call MPI_Info_free(info)
  call MPI_Type_vector(100, 10, 10 * ranks, MPI_REAL, column)
  call MPI_Type_commit(column)
  call MPI_File_set_view(file, int(40 * rank, MPI_OFFSET_KIND), MPI_REAL, column, 'native', MPI_INFO_NULL)
  numbers = rank
  call MPI_File_write_all(file, numbers, 1000, MPI_REAL, MPI_STATUS_IGNORE)
  call MPI_File_seek(file, int(-300, MPI_OFFSET_KIND), MPI_SEEK_CUR)
  call MPI_File_read(file, numbers, 200, MPI_REAL, MPI_STATUS_IGNORE)
  call MPI_File_close(file)
  call MPI_Type_free(column)
  call MPI_Finalize()
end program
