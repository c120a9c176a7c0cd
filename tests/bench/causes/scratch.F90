! SPDX-License-Identifier: BSD-3-Clause
! Slope-limited transport of a tracer on a ring.  The scratch arrays are automatic: their memory comes
! from the heap at each call and goes back to the system, so every page of it is a page fault again.
module transport
  implicit none
  integer, parameter :: cells = 150000
#ifdef FIXED
  real(8) :: left(cells), slope(cells), limited(cells), flux(cells)
#endif
contains
  subroutine tendency(n, u, dudt)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(out) :: dudt(n)
#ifndef FIXED
    real(8) :: left(n), slope(n), limited(n), flux(n)
#endif

    left(1) = u(n)
    left(2:n) = u(1:n-1)
    slope = u - left
    limited(1:n-1) = max(0d0, min(slope(1:n-1), slope(2:n)))
    limited(n) = 0
    flux = u + 0.5d0 * limited
    dudt(1) = flux(n) - flux(1)
    dudt(2:n) = flux(1:n-1) - flux(2:n)
  end subroutine
end module

program scratch
  use transport
  implicit none
  real(8), allocatable :: u(:), dudt(:)
  character(20) :: word
  integer :: steps, step, i

  call get_command_argument(1, word)
  read (word, *) steps
  allocate (u(cells), dudt(cells))
  u = [(mod(i, 97) / 97d0, i = 1, cells)]
  do step = 1, steps ! the phase
    do i = 1, 4
      call tendency(cells, u, dudt)
      u = u + 0.2d0 * dudt
    end do
  end do
  print '(es22.15)', sum(u * u)
end program
