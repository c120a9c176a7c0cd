! Loops of all forms in Fortran: "loop_records K" runs number K, with several lengths; 0: all.  See loop_records.sh.
module work
  implicit none
  integer, parameter :: most = 400
  integer, private :: i
  real(8) :: a(most) = 0, b(most) = (/ (i, i = 1, most) /), c(40,40) = 0, d(5,12,12) = 0
  integer :: idx(most) = (/ (most + 1 - i, i = 1, most) /), stride = 3
  common /shared/ e, g
  real(8) :: e(most), g(3,100)
contains
  subroutine assumed(x, y)
    real(8), intent(inout) :: x(:)
    real(8), intent(in) :: y(:)
    integer :: i
    do i = 1, size(x)
       x(i) = x(i) + y(i)
    end do
  end subroutine assumed

  subroutine plane(x, y)
    real(8), intent(inout) :: x(:,:)
    real(8), intent(in) :: y(:,:)
    integer :: i, j
    do j = 1, size(x, 2)
       do i = 2, size(x, 1)
          x(i,j) = x(i-1,j) + y(j,i)
       end do
    end do
  end subroutine plane

  subroutine explicit(x, y, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n,*)
    real(8), intent(in) :: y(0:n-1)
    integer :: i
    do i = n, 1, -1
       x(i,2) = x(i,1) + y(i-1)
    end do
  end subroutine explicit

  subroutine run(k, n)
    integer, intent(in) :: k, n
    integer :: i, j, l
    real(8) :: s
    select case (k)
    case (1)
       call assumed(a(1:n), b(1:n))
    case (2)
       call assumed(a(n:1:-1), b(1:2*n:2))
    case (3)
       call assumed(a(1:3*min(n,40):stride), c(5,1:40))
    case (4)
       call plane(c(1:min(n,40),1:39:2), c(40:1:-2,:))
    case (5)
       call explicit(a, b, n)
    case (6)
       do i = 1, n, stride
          a(i) = e(i) + g(2,i)
       end do
    case (7)
       do i = 2, min(n, 11)
          do j = 2, min(n, 11)
             do l = 1, 5
                d(l,i,j) = d(l,i-1,j) + d(l,i,j-1) + d(1,i,j)
             end do
          end do
       end do
    case (8)
       do i = 2, min(n, 11)
          do j = 2, min(n, 11)
             d(1,j,i) = d(1,j-1,i) + d(2,j,i-1)
             d(2,j,i) = d(1,j,i) + d(5,j+1,i)
             d(3,j,i) = d(4,j,i) - d(2,j,i)
          end do
       end do
    case (9)
       a(1:n) = b(1:n)*2 + e(2:n+1)
       where (a(1:n) > 0) b(1:n) = 1
    case (10)
       s = 0
       do i = 1, n
          if (a(i) > 1) cycle
          s = s + b(idx(i))
          if (s > 1d10) exit
       end do
       a(1) = s
    case (11)
       !$omp parallel do
       do i = 1, n
          a(i) = b(i) + e(i)
       end do
    case (12)    ! not without an iteration: GCC takes lastprivate values from nowhere then
       !$omp parallel do simd collapse(2)
       do j = 1, max(1, min(n, 40))
          do i = 1, max(1, min(n, 40))
             c(i,j) = c(i,j)*2 + 1
          end do
       end do
    case (13)
       i = 0
       do while (i < n)
          i = i + 1
          g(:,i) = g(3,i)
       end do
    case (14)
       c(1:min(n,40),:) = transpose(c(:,1:min(n,40)))
       a(1:20) = matmul(c(1:20,1:20), b(1:20))
    end select
  end subroutine run
end module work

program main
  use work
  implicit none
  integer :: k, l, i
  integer, parameter :: lengths(6) = (/ 0, 1, 2, 7, 40, 99 /)
  character(10) :: number
  call get_command_argument(1, number)
  read (number, *) k
  do l = 1, 14
     if (k /= 0 .and. k /= l) cycle
     do i = 1, 6
        call run(l, lengths(i))
     end do
  end do
end program main
