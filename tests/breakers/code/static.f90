! SPDX-License-Identifier: BSD-3-Clause
! A program without shared libraries.
! flags: -O2 -static
! without: record switched (nothing can be preloaded into it)
program p
  implicit none
  real(8) :: a(1000)
  integer :: i
  a = 1
  do i = 1, 20
    call scale(a)   ! PHASE
  end do
  print '(es20.12)', sum(a)
contains
  subroutine scale(x)
    real(8), intent(inout) :: x(:)
    x = x * 1.5d0
  end subroutine
end program
