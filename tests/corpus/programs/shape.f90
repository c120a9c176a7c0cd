! SPDX-License-Identifier: BSD-3-Clause
! Assumed-shape dummies: every second row, and one row of a matrix.
!
! a: 256 x 256 doubles (columns of 2 KiB).  every: 128 x 256 elements, but every line of a.  row: 256
! elements 2 KiB apart, a line each, loaded and stored; some may still be there.
! corpus: machine=touched
module shapes
  implicit none
  integer, parameter :: n = 256
  real(8), save, target :: a(n, n)
  real(8), save :: total
contains
  subroutine add(x)
    real(8), intent(in) :: x(:,:)
    integer :: i, j
    do j = 1, size(x, 2)
      do i = 1, size(x, 1)
        total = total + x(i, j)
      end do
    end do
  end subroutine
  subroutine scale(x)
    real(8), intent(inout) :: x(:)
    integer :: i
    do i = 1, size(x)
      x(i) = x(i) * 0.5d0 + 1
    end do
  end subroutine
  subroutine step()
    call add(a(1:n:2, :))
    call scale(a(5, :))
  end subroutine
end module
program main
  use shapes
  implicit none
  integer :: i, level
  a = 1
  do i = 1, 5    ! the phase
    call step()
  end do
  print *, total, a(5, 9)
  print '(a,i0)', 'expect a bytes = ', n * n / 2 * 8 + 2 * n * 8
  do level = 1, 2
    print '(a,i0,a,i0,1x,i0)', 'expect a load_miss ', level, ' in ', n * n / 8 - 2, n * n / 8 + n
    print '(a,i0,a)', 'expect a store_miss ', level, ' = 0'
  end do
end program
