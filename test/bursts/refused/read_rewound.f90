! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intent: a unit is rewound and read while what was written is still in memory; the compiler cannot know that it is the same.
! REFUSED: rank [0-3] reads unit 10, which rank [0-3] has written.*read_rewound\.f90:2[0-9].*read at read_rewound\.f90:2[0-9]
program read_rewound
  use mpi
  implicit none
  integer :: ierror, rank, ranks, step, i, counted, again
  integer, volatile :: one = 10, other = 10
  character(len=20) :: name
  double precision :: out(4096), in(4096)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  write (name, '(a,i0)') 'count.', rank
  open (unit=one, file=name, status='replace', form='unformatted')
  do step = 1, 12
    counted = 0
    do i = 1, 1000
      if (mod(i * 7919 + step * 104729 + rank * 1299709, 9973) < 3000) counted = counted + 1
    end do
    write (one) counted
    rewind (other)
    read (other) again
    rewind (other)
    call MPI_Sendrecv(out, again, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 1, in, 4096, MPI_DOUBLE_PRECISION, &
                      mod(rank + ranks - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end do
  call MPI_Finalize(ierror)
end program
