! SPDX-License-Identifier: BSD-3-Clause
! lu-mpi [N [STEPS]]: solves -lap(u) + c*u = f on the unit cube by symmetric successive over-relaxation, with MPI and
! OpenMP.
!
! Five fields (u(5,i,j,k)) are coupled by a 5x5 matrix in each point.  The cube is cut into slabs of planes k; a sweep
! updates its slab plane by plane, and takes the planes of its neighbours as they were before (block Jacobi between slabs,
! SOR inside).  Within a plane, points are coloured: those of one colour do not depend on one another.
!
! LU_SLOW=RANK gives that process more to compute: its planes are relaxed three times in each sweep.
module grid
  implicit none
  integer, parameter :: m = 5
  integer :: n = 48, nz, rank, ranks, below, above, repeats = 1
  double precision :: h2, omega = 1.5d0
  double precision :: couple(m, m), inverse(m, m)
  double precision, allocatable :: u(:, :, :, :), f(:, :, :, :), r(:, :, :, :)
end module grid

! The matrix of a point, and its inverse by Gauss-Jordan.
subroutine make_matrix
  use grid
  implicit none
  double precision :: a(m, 2*m)
  integer :: i, j

  do j = 1, m
     do i = 1, m
        couple(i, j) = merge(1.0d0, 0.1d0/(1 + abs(i - j)), i == j)
     end do
  end do
  a = 0
  a(:, 1:m) = couple*h2
  do i = 1, m
     a(i, i) = a(i, i) + 6
     a(i, m + i) = 1
  end do
  do i = 1, m
     a(i, :) = a(i, :)/a(i, i)
     do j = 1, m
        if (j /= i) a(j, :) = a(j, :) - a(j, i)*a(i, :)
     end do
  end do
  inverse = a(:, m + 1:)
end subroutine make_matrix

! The planes next to the slab: from the neighbours, as they are now.
subroutine exchange
  use mpi
  use grid
  implicit none
  integer :: ierr, plane

  plane = m*(n + 2)*(n + 2)
  call MPI_Sendrecv(u(1, 0, 0, nz), plane, MPI_DOUBLE_PRECISION, above, 1, &
       u(1, 0, 0, 0), plane, MPI_DOUBLE_PRECISION, below, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_Sendrecv(u(1, 0, 0, 1), plane, MPI_DOUBLE_PRECISION, below, 2, &
       u(1, 0, 0, nz + 1), plane, MPI_DOUBLE_PRECISION, above, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
end subroutine exchange

! Relaxes the points of one colour in a plane.
subroutine relax(k, colour)
  use grid
  implicit none
  integer, intent(in) :: k, colour
  double precision :: b(m)
  integer :: i, j, l, first

  !$omp do schedule(static) private(b, i, l, first)
  do j = 1, n
     first = 1 + mod(j + k + colour, 2)
     do i = first, n, 2
        do l = 1, m
           b(l) = h2*f(l, i, j, k) + u(l, i - 1, j, k) + u(l, i + 1, j, k) + u(l, i, j - 1, k) + &
                u(l, i, j + 1, k) + u(l, i, j, k - 1) + u(l, i, j, k + 1)
        end do
        do l = 1, m
           u(l, i, j, k) = u(l, i, j, k) + omega*(sum(inverse(l, :)*b) - u(l, i, j, k))
        end do
     end do
  end do
  !$omp end do
end subroutine relax

! One step: forward and backward over the slab.
subroutine sweep
  use grid
  implicit none
  integer :: k, again

  !$omp parallel private(k, again)
  do again = 1, repeats
     do k = 1, nz
        call relax(k, 0)
        call relax(k, 1)
     end do
     do k = nz, 1, -1
        call relax(k, 1)
        call relax(k, 0)
     end do
  end do
  !$omp end parallel
end subroutine sweep

! The residual of all points, and the sum of its squares.
subroutine residual(part)
  use grid
  implicit none
  double precision, intent(out) :: part
  integer :: i, j, k, l

  part = 0
  !$omp parallel do reduction(+:part) private(i, j, l)
  do k = 1, nz
     do j = 1, n
        do i = 1, n
           do l = 1, m
              r(l, i, j, k) = f(l, i, j, k) - sum(couple(l, :)*u(:, i, j, k)) - (6*u(l, i, j, k) - &
                   u(l, i - 1, j, k) - u(l, i + 1, j, k) - u(l, i, j - 1, k) - u(l, i, j + 1, k) - &
                   u(l, i, j, k - 1) - u(l, i, j, k + 1))/h2
              part = part + r(l, i, j, k)**2
           end do
        end do
     end do
  end do
  !$omp end parallel do
end subroutine residual

! The largest residual of each field, one field after the other.  Fields lie together in memory, so every pass goes
! through all of it and uses a fifth: this is the bottleneck.
subroutine largest(peak)
  use grid
  implicit none
  double precision, intent(out) :: peak(m)
  double precision :: high
  integer :: i, j, k, l

  do l = 1, m
     high = 0
     !$omp parallel do reduction(max:high) private(i, j)
     do k = 1, nz
        do j = 1, n
           do i = 1, n
              high = max(high, abs(r(l, i, j, k)))
           end do
        end do
     end do
     !$omp end parallel do
     peak(l) = high
  end do
end subroutine largest

! The norm and the largest residuals of all processes.
subroutine collect(part, own, norm, peak)
  use mpi
  use grid
  implicit none
  double precision, intent(in) :: part, own(m)
  double precision, intent(out) :: norm, peak(m)
  double precision :: all(m)
  integer :: ierr

  all(1) = part
  call MPI_Allreduce(MPI_IN_PLACE, all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  call MPI_Allreduce(own, peak, m, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
  norm = sqrt(all(1)/(5*dble(n)**3))
end subroutine collect

subroutine set_up
  use mpi
  use grid
  implicit none
  integer :: i, j, k, l, first, ierr
  character(len=16) :: text

  h2 = 1/dble(n + 1)**2
  first = rank*n/ranks
  nz = (rank + 1)*n/ranks - first
  below = merge(rank - 1, MPI_PROC_NULL, rank > 0)
  above = merge(rank + 1, MPI_PROC_NULL, rank < ranks - 1)
  call get_environment_variable('LU_SLOW', text, status=ierr)
  if (ierr == 0) then
     read (text, *, iostat=ierr) l
     if (ierr == 0 .and. l == rank) repeats = 3
  end if
  allocate (u(m, 0:n + 1, 0:n + 1, 0:nz + 1), f(m, 0:n + 1, 0:n + 1, 0:nz + 1), r(m, n, n, nz))
  u = 0
  do k = 1, nz
     do j = 1, n
        do i = 1, n
           do l = 1, m
              f(l, i, j, k) = l*sin(3.0d0*i/(n + 1))*sin(3.0d0*j/(n + 1))*sin(3.0d0*(first + k)/(n + 1))
           end do
        end do
     end do
  end do
  call make_matrix
end subroutine set_up

program lu_mpi
  use mpi
  use grid
  implicit none
  integer :: step, steps = 40, ierr, provided
  double precision :: norm, before, part, own(m), peak(m)
  character(len=16) :: text

  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  if (command_argument_count() > 0) then
     call get_command_argument(1, text)
     read (text, *) n
  end if
  if (command_argument_count() > 1) then
     call get_command_argument(2, text)
     read (text, *) steps
  end if
  call set_up
  call exchange
  do step = 1, steps
     call sweep
     call exchange
     call residual(part)
     call largest(own)
     call collect(part, own, norm, peak)
     if (step == 1) before = norm
  end do
  if (rank == 0) then
     print '(a,i0,a,i0,a,i0,a)', 'grid ', n, '^3, ', steps, ' steps, ', ranks, ' processes'
     if (norm < before) then
        print '(a,es10.3,a,es10.3,a,es10.3)', 'residual ', before, ' -> ', norm, ', largest ', maxval(peak)
     else
        print '(a)', 'the residual did not shrink'
     end if
  end if
  call MPI_Finalize(ierr)
end program lu_mpi
