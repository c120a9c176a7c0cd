! SPDX-License-Identifier: BSD-3-Clause
! Heat with a source: a step allocates its work space and gives it back.
module heat
  implicit none
  integer, parameter :: nx = 400, ny = 400
#ifdef FIXED
  real(8), allocatable :: east(:,:), north(:,:), source(:,:)
#endif
contains
  subroutine advance(t)
    real(8), intent(inout) :: t(nx, ny)
    integer :: i, j
#ifdef FIXED
    if (.not. allocated(east)) allocate (east(nx, ny), north(nx, ny), source(nx, ny))
#else
    real(8), allocatable :: east(:,:), north(:,:), source(:,:)

    allocate (east(nx, ny), north(nx, ny), source(nx, ny))
#endif
    do j = 1, ny - 1
      do i = 1, nx - 1
        east(i, j) = t(i + 1, j) - t(i, j)
        north(i, j) = t(i, j + 1) - t(i, j)
        source(i, j) = 1d-3 * (1 - t(i, j))
      end do
    end do
    do j = 2, ny - 1
      do i = 2, nx - 1
        t(i, j) = t(i, j) + source(i, j) + &
          0.1d0 * (east(i, j) - east(i - 1, j) + north(i, j) - north(i, j - 1))
      end do
    end do
  end subroutine
end module

program perstep
  use heat
  implicit none
  real(8), allocatable :: t(:,:)
  character(20) :: word
  integer :: steps, step, i, j

  call get_command_argument(1, word)
  read (word, *) steps
  allocate (t(nx, ny))
  t = reshape([((mod(i * j, 11) / 11d0, i = 1, nx), j = 1, ny)], [nx, ny])
  do step = 1, steps ! the phase
    do i = 1, 8
      call advance(t)
    end do
  end do
  print '(es22.15)', sum(t)
end program
