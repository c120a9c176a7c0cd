! The section of an array that is not contiguous, for an explicit-shape dummy argument.
module work
  implicit none
  integer, parameter :: n = 200
contains
  subroutine smooth(q, m)
    integer, intent(in) :: m
    real(8), intent(inout) :: q(m, m)
    integer :: j
    do j = 1, m, 20
      q(:, j) = 0.5d0 * q(:, j)
    end do
  end subroutine
end module
program sections
  use work
  implicit none
  real(8), allocatable :: state(:, :, :)
  integer :: step, v
  allocate(state(5, n, n))
  state = 1
  do step = 1, 10
    do v = 1, 5
      call smooth(state(v, :, :), n)
    end do
  end do
  print *, sum(state)
end program
