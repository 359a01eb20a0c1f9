C     SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
C     Intent: mpif.h in fixed form end to end: a ring, a user's
C     operation, attributes of MPI-1, MPI_WTIME within PRINT.
      program features
      include 'mpif.h'
      integer ierr, rank, size, token, next, prev, op, ok
      integer status(MPI_STATUS_SIZE), keyval, value, key2
      integer comm, requests(2), sum
      logical flag
      double precision t
      external smaller, copyfn, delfn
      common /counts/ ncopies, ndeletes
      integer ncopies, ndeletes
      ncopies = 0
      ndeletes = 0
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
      next = mod(rank + 1, size)
      prev = mod(rank + size - 1, size)
      call MPI_IRECV(token, 1, MPI_INTEGER, prev, 7, MPI_COMM_WORLD,
     &               requests(1), ierr)
      call MPI_ISEND(rank, 1, MPI_INTEGER, next, 7, MPI_COMM_WORLD,
     &               requests(2), ierr)
      call MPI_WAITALL(2, requests, MPI_STATUSES_IGNORE, ierr)
      ok = 0
      if (token .eq. prev .and. requests(1) .eq. MPI_REQUEST_NULL)
     &  ok = 1
      call report(rank, 'ring', ok)

      call MPI_OP_CREATE(smaller, .true., op, ierr)
      call MPI_ALLREDUCE(rank - 3, token, 1, MPI_INTEGER, op,
     &                   MPI_COMM_WORLD, ierr)
      call MPI_OP_FREE(op, ierr)
      ok = 0
      if (token .eq. -3) ok = 1
      call report(rank, 'user''s operation', ok)

      sum = rank
      call MPI_ALLREDUCE(MPI_IN_PLACE, sum, 1, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_WORLD, ierr)
      ok = 0
      if (sum .eq. size * (size - 1) / 2) ok = 1
      call report(rank, 'in place', ok)

      call MPI_KEYVAL_CREATE(copyfn, delfn, keyval, 5, ierr)
      call MPI_KEYVAL_CREATE(MPI_DUP_FN, MPI_NULL_DELETE_FN, key2, 0,
     &                       ierr)
      call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr)
      call MPI_ATTR_PUT(comm, keyval, 40 + rank, ierr)
      call MPI_ATTR_PUT(comm, key2, 77, ierr)
      call MPI_COMM_DUP(comm, next, ierr)
      call MPI_ATTR_GET(next, keyval, value, flag, ierr)
      ok = 0
      if (flag .and. value .eq. 45 + rank) ok = 1
      call MPI_ATTR_GET(next, key2, value, flag, ierr)
      if (.not. flag .or. value .ne. 77) ok = 0
      call MPI_COMM_FREE(next, ierr)
      call MPI_COMM_FREE(comm, ierr)
      if (ncopies .ne. 1 .or. ndeletes .ne. 2) ok = 0
      call MPI_ATTR_GET(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierr)
      if (.not. flag .or. value .lt. 32767) ok = 0
      call report(rank, 'attributes', ok)

      call MPI_SENDRECV(rank, 1, MPI_INTEGER, rank, 3, token, 1,
     &     MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
     &     status, ierr)
      ok = 0
      if (status(MPI_SOURCE) .eq. rank .and. status(MPI_TAG) .eq. 3)
     &  ok = 1
      call report(rank, 'status', ok)

      call MPI_COMM_SPLIT(MPI_COMM_WORLD, mod(rank, 2), 0, comm, ierr)
      ok = 1
      if (size .gt. 1) then
        call MPI_INTERCOMM_CREATE(comm, 0, MPI_COMM_WORLD,
     &       1 - mod(rank, 2), 4, next, ierr)
        call MPI_COMM_TEST_INTER(next, flag, ierr)
        call MPI_COMM_REMOTE_SIZE(next, value, ierr)
        if (.not. flag .or. value .ne. (size + mod(rank, 2)) / 2)
     &    ok = 0
        call MPI_INTERCOMM_MERGE(next, mod(rank, 2) .eq. 0, prev, ierr)
        call MPI_COMM_RANK(prev, token, ierr)
        if (token .ne. rank / 2 .and. mod(rank, 2) .eq. 1) ok = 0
        if (token .lt. value .and. mod(rank, 2) .eq. 0) ok = 0
        call MPI_COMM_FREE(prev, ierr)
        call MPI_COMM_FREE(next, ierr)
      end if
      call MPI_COMM_FREE(comm, ierr)
      call report(rank, 'intercommunicators', ok)

      t = MPI_WTIME()
      ok = 0
      if (MPI_WTIME() - t .ge. 0 .and. MPI_WTICK() .gt. 0) ok = 1
      if (rank .eq. 0) print *, 'time', MPI_WTIME() .ge. t
      call report(rank, 'clock', ok)
      call MPI_FINALIZE(ierr)
      end

      subroutine report(rank, name, ok)
      include 'mpif.h'
      integer rank, ok, all, ierr
      character*(*) name
      call MPI_REDUCE(ok, all, 1, MPI_INTEGER, MPI_MIN, 0,
     &                MPI_COMM_WORLD, ierr)
      if (rank .eq. 0) then
        if (all .eq. 1) then
          print '(a,a)', name, ': ok'
        else
          print '(a,a)', name, ': WRONG'
        end if
      end if
      end

      subroutine smaller(in, inout, len, type)
      integer len, type, in(len), inout(len), i
      do i = 1, len
        inout(i) = min(in(i), inout(i))
      end do
      end

      subroutine copyfn(comm, keyval, extra, in, out, flag, ierr)
      integer comm, keyval, extra, in, out, ierr
      logical flag
      common /counts/ ncopies, ndeletes
      integer ncopies, ndeletes
      ncopies = ncopies + 1
      out = in + extra
      flag = .true.
      ierr = 0
      end

      subroutine delfn(comm, keyval, value, extra, ierr)
      integer comm, keyval, value, extra, ierr
      common /counts/ ncopies, ndeletes
      integer ncopies, ndeletes
      ndeletes = ndeletes + 1
      ierr = 0
      end
