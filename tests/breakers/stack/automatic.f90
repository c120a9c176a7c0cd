! SPDX-License-Identifier: BSD-3-Clause
! Automatic arrays of 6 of the 8 MiB of stack, as -Ofast and -fopenmp have them.
! flags: -O2 -fopenmp
! flags: -Ofast
subroutine smooth(n, x, total)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  real(8), intent(out) :: total
  real(8) :: left(n), right(n), middle(n)
  integer :: i
  do i = 1, n
    left(i) = x(max(i - 1, 1))
    right(i) = x(min(i + 1, n))
    middle(i) = x(i)
  end do
  do i = 1, n
    x(i) = 0.25d0 * left(i) + 0.5d0 * middle(i) + 0.25d0 * right(i)
  end do
  total = x(1) + x(n / 2) + x(n)
end subroutine

program automatic
  implicit none
  integer, parameter :: n = 250000
  real(8), allocatable :: x(:)
  real(8) :: total, all
  integer :: i
  allocate (x(n))
  do i = 1, n
    x(i) = mod(i, 17)
  end do
  all = 0
  do i = 1, 8
    call smooth(n, x, total)   ! PHASE
    all = all + total
  end do
  print '(f20.10)', all
end program
