! SPDX-License-Identifier: BSD-3-Clause
! Diffusion in a plane; the inner loop runs over the second index, against the order of memory.
module plane
  implicit none
  integer, parameter :: nx = 1200, ny = 1200
contains
  subroutine diffuse(old, new)
    real(8), intent(in) :: old(nx, ny)
    real(8), intent(out) :: new(nx, ny)
    integer :: i, j

    new = old
#ifdef FIXED
    do j = 2, ny - 1
      do i = 2, nx - 1
#else
    do i = 2, nx - 1
      do j = 2, ny - 1
#endif
        new(i, j) = old(i, j) + 0.1d0 * (old(i - 1, j) + old(i + 1, j) + old(i, j - 1) + &
          old(i, j + 1) - 4 * old(i, j))
      end do
    end do
  end subroutine
end module

program order
  use plane
  implicit none
  real(8), allocatable :: a(:,:), b(:,:)
  character(20) :: word
  integer :: steps, step, i, j

  call get_command_argument(1, word)
  read (word, *) steps
  allocate (a(nx, ny), b(nx, ny))
  a = reshape([((mod(i * j, 13) / 13d0, i = 1, nx), j = 1, ny)], [nx, ny])
  do step = 1, steps ! the phase
    call diffuse(a, b)
    call diffuse(b, a)
  end do
  print '(es22.15)', sum(a)
end program
