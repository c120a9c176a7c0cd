! The same for Fortran's ways to pass an array: "kernels NAME N".
module kernels
  implicit none
  real(8), allocatable :: x(:), y(:)
contains
  subroutine shape(a, b)
    real(8), intent(inout) :: a(:)
    real(8), intent(in) :: b(:)
    integer :: i
    do i = 1, size(a)
       a(i) = a(i) + b(i)
    end do
  end subroutine shape

  subroutine explicit(a, b, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n)
    real(8), intent(in) :: b(*)
    integer :: i
    !$omp parallel do
    do i = 1, n
       a(i) = a(i) + b(i)
    end do
  end subroutine explicit
end module kernels

program main
  use kernels
  implicit none
  character(20) :: name, number
  integer :: n, i
  call get_command_argument(1, name)
  call get_command_argument(2, number)
  read (number, *) n
  allocate(x(4096), y(4096))
  do i = 1, 4096
     x(i) = 1
     y(i) = 2
  end do
  if (name == 'shape') call shape(x(1:n), y(1:n))
  if (name == 'explicit') call explicit(x, y, n)
end program main
