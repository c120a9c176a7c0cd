! Free form: modules, allocatables, contained procedures, continuation by ampersand.
module grid
  implicit none
  real(8), allocatable :: u(:,:)
  real(8) :: fixed(8,8)
  type point
     real(8) :: x, y
  end type point
contains
  subroutine smooth(a, b, &
                    n)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(:,:)
    real(8), intent(in) :: b(n,n)
    integer :: i, j
    !$omp parallel do &
    !$omp   private(i)
    do j = 2, n - 1
       do i = 2, n - 1
          a(i,j) = b(i-1,j) + b(i+1,j)
       end do
    end do
    !$omp end parallel do
  end subroutine smooth
end module grid

program main
  use grid
  implicit none
  integer :: step, k
  real(8) :: local(8,8)
  allocate(u(8,8))
  u = 1.0d0
  local = 2.0d0
  do step = 1, 4
     call smooth(u, &
                 local, 8)   ! a comment
     call inner
  end do
  k = 0
  do while (k < 3)
     k = k + 1
     call inner
  end do
  do
     k = k + 1
     call inner
     if (k > 6) exit
     fixed(1,1) = k
  end do
  !$omp parallel sections
  !$omp section
  call inner
  !$omp section
  call inner
  !$omp end parallel sections
  print '(f8.2)', sum(u) + fixed(2,2)
contains
  subroutine inner
    integer :: i
    do i = 1, 8
       fixed(i,2) = local(i,1) + i
    end do
  end subroutine inner
end program main
