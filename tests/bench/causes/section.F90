! SPDX-License-Identifier: BSD-3-Clause
! One component of a state is damped at some rows.  The dummy has an explicit shape and wants its array
! contiguous, the component is not: it is packed before each call and unpacked afterwards.
module damping
  implicit none
  integer, parameter :: nc = 6, nx = 300, ny = 300
contains
  subroutine damp(q, n, m)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: q(n, m)
    integer :: j

    do j = 1, m, 10
      q(:, j) = 0.99d0 * q(:, j)
    end do
  end subroutine
end module

program section
  use damping
  implicit none
  real(8), allocatable :: state(:,:,:)
  character(20) :: word
  integer :: steps, step, c

  call get_command_argument(1, word)
  read (word, *) steps
#ifdef FIXED
  allocate (state(nx, ny, nc))
#else
  allocate (state(nc, nx, ny))
#endif
  state = 2
  do step = 1, steps ! the phase
    do c = 1, 4 * nc
#ifdef FIXED
      call damp(state(:, :, 1 + mod(c, nc)), nx, ny)
#else
      call damp(state(1 + mod(c, nc), :, :), nx, ny)
#endif
    end do
  end do
  print '(es22.15)', sum(state)
end program
