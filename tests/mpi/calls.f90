! SPDX-License-Identifier: BSD-3-Clause
! As calls.c, for what Fortran passes by address: status, request, in place, bottom, strings.
subroutine step(rank, size, bad)
  use mpi
  implicit none
  integer, intent(in) :: rank, size
  integer, intent(inout) :: bad
  integer :: right, left, ierr, a(4), b(4), n, status(MPI_STATUS_SIZE), requests(2), total, row

  right = mod(rank + 1, size)
  left = mod(rank + size - 1, size)
  a = rank
  b = -1
  call MPI_Sendrecv(a, 4, MPI_INTEGER, right, 7, b, 4, MPI_INTEGER, left, 7, MPI_COMM_WORLD, status, ierr)
  call MPI_Get_count(status, MPI_INTEGER, n, ierr)
  if (b(1) /= left .or. status(MPI_SOURCE) /= left .or. status(MPI_TAG) /= 7 .or. n /= 4) bad = 1
  b = -1
  call MPI_Irecv(b, 4, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(a, 3, MPI_INTEGER, right, 8, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
  if (b(3) /= left .or. b(4) /= -1 .or. ierr /= MPI_SUCCESS .or. requests(1) /= MPI_REQUEST_NULL) bad = 2
  call MPI_Isend(a, 4, MPI_INTEGER, right, 9, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Recv(b, 4, MPI_INTEGER, left, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_Wait(requests(1), status, ierr)
  total = 1
  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (total /= size) bad = 3
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), 0, row, ierr)
  call MPI_Barrier(row, ierr)
  call MPI_Comm_free(row, ierr)
  if (row /= MPI_COMM_NULL) bad = 4
end subroutine step

program calls
  use mpi
  implicit none
  integer :: rank, size, bad, worst, ierr, i, length
  character(len=MPI_MAX_PROCESSOR_NAME) :: name

  bad = 0
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  do i = 1, 12
     call step(rank, size, bad)
  end do
  call MPI_Get_processor_name(name, length, ierr)
  if (length < 1 .or. name(1:1) == ' ') bad = 5
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Send(i, 1, MPI_INTEGER, size + 5, 0, MPI_COMM_WORLD, ierr)
  if (ierr == MPI_SUCCESS) bad = 6
  call MPI_Reduce(bad, worst, 1, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) then
     if (worst == 0) then
        print '(a)', 'right'
     else
        print '(a,i0)', 'wrong ', worst
     end if
  end if
  call MPI_Finalize(ierr)
end program calls
