! SPDX-License-Identifier: BSD-3-Clause
! Constructs of OpenMP in Fortran: private automatic arrays, workshare, threadprivate, taskloop, ordered.
! flags: -O2 -fopenmp
! flags: -O0 -fopenmp
module work_on
  implicit none
  integer, save :: own = 0
  real(8), allocatable :: g(:)
  !$omp threadprivate(own)
contains
  subroutine work(a, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n)
    real(8) :: twice(n)
    integer :: i
    !$omp parallel do private(twice) firstprivate(n) schedule(guided)
    do i = 1, n
      twice(i) = a(i) * 2
      a(i) = twice(i) - 1
    end do
    !$omp parallel workshare
    a = a + 1
    where (a > 10) a = a / 3
    !$omp end parallel workshare
    !$omp parallel
    own = own + 1
    !$omp single
    !$omp taskloop
    do i = 1, n
      g(i) = a(i)
    end do
    !$omp end taskloop
    !$omp end single copyprivate(own)
    !$omp sections
    !$omp section
    g(1) = 1
    !$omp section
    g(2) = 2
    !$omp end sections
    !$omp critical (one)
    g(3) = g(3) + 0
    !$omp end critical (one)
    !$omp do ordered
    do i = 1, 20
      !$omp ordered
      g(4) = g(4) + i
      !$omp end ordered
    end do
    !$omp end parallel
  end subroutine
end module

program mix
  use work_on
  implicit none
  integer :: it, i
  real(8) :: a(1000), s
  a = 1
  allocate (g(1000))
  do it = 1, 12
    call work(a, 1000)   ! PHASE
  end do
  s = 0
  do i = 1, 1000
    s = s + a(i) + g(i)
  end do
  print '(f16.8)', s
end program
