! SPDX-License-Identifier: BSD-3-Clause
! Allocatable arrays of a module, of a routine, and a pointer to one.
!
! grid and next: 256 x 256 doubles, 512 KiB each: a miss a line; next is written.  work is allocated anew in
! every call, 2048 doubles, and belongs to level 1 once it has been written.  A page of the heap and its
! neighbour may share a line at either end: one line more.
! corpus: machine=touched lto
module field
  implicit none
  integer, parameter :: n = 256
  real(8), allocatable, target :: grid(:,:), next(:,:)
  real(8), pointer :: view(:,:)
contains
  subroutine relax()
    integer :: i, j
    do j = 1, n
      do i = 1, n
        next(i, j) = 0.5d0 * grid(i, j) + 1
      end do
    end do
  end subroutine
  subroutine scratch(s)
    real(8), intent(out) :: s
    real(8), allocatable :: work(:)
    allocate(work(2048))
    work = 2
    s = sum(work)
  end subroutine
  subroutine step()
    real(8) :: s
    call relax()
    call scratch(s)
    view(1, 1) = view(1, 1) + s
  end subroutine
end module
program main
  use field
  implicit none
  integer :: i, level
  allocate(grid(n, n), next(n, n))
  grid = 1
  next = 0
  view => grid
  do i = 1, 5    ! the phase
    call step()
  end do
  print *, grid(1, 1), next(1, 1), next(7, 9)
  print '(a,i0)', 'expect next bytes = ', n * n * 8
  print '(a,i0)', 'expect grid bytes = ', n * n * 8 + 16
  do level = 1, 2
    print '(a,i0,a,i0,1x,i0)', 'expect grid load_miss ', level, ' in ', n * n / 8 - 2, n * n / 8 + 2
    print '(a,i0,a,i0,1x,i0)', 'expect next store_miss ', level, ' in ', n * n / 8 - 2, n * n / 8 + 2
  end do
  print '(a,i0)', 'expect work bytes = ', 2 * 2048 * 8
end program
