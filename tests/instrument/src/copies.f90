module work
  implicit none
contains
  subroutine explicit(q, n, m)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: q(n, m)
    q(1, 1) = q(1, 1) + 1
  end subroutine
  subroutine shaped(q)
    real(8), intent(inout) :: q(:, :)
    q(1, 1) = q(1, 1) + 1
  end subroutine
end module
program copies
  use work
  implicit none
  real(8), allocatable :: a(:, :, :)
  integer :: i
  allocate(a(3, 20, 20))
  a = 0
  do i = 1, 3
    call explicit(a(i, :, :), 20, 20)
  end do
  do i = 1, 3
    call shaped(a(i, :, :))
  end do
  print *, sum(a)
end program
