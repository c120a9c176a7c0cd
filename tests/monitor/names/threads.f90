! SPDX-License-Identifier: BSD-3-Clause
! THREADPRIVATE: each variable is one structure for all threads.  "expect" as in blocks.c.
module fields
  real(8) :: work(1000)
  real(8), allocatable :: own(:)
!$omp threadprivate(work, own)
end module
subroutine touch(x, n)
  integer, intent(in) :: n
  real(8) :: x(n)
  integer :: i
  do i = 1, n
    x(i) = x(i) + 1
  end do
end subroutine
subroutine locals
  real(8), save :: kept(700)
!$omp threadprivate(kept)
  call touch(kept, 700)     ! expect: locals:kept 2800 2800
end subroutine
subroutine step
  use fields
  real(8) :: a(600), b(500)
  common /block/ a, b
!$omp threadprivate(/block/)
!$omp parallel num_threads(2)
  call touch(work, 1000)    ! expect: fields:work 4000 4000
  call touch(own, 800)      ! expect: fields:own 3204 3200, with its descriptor
  call touch(a, 600)        ! expect: block:a 2400 2400
  call touch(b, 500)        ! expect: block:b 2000 2000
  call locals
!$omp end parallel
end subroutine
program main
  use fields
  integer :: i
!$omp parallel num_threads(2)
  allocate(own(800))
  own = 0
  work = 1
!$omp end parallel
  do i = 1, 6    ! the phase
    call step
  end do
  print *, work(1), own(2)
end program
