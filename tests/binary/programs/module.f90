! SPDX-License-Identifier: BSD-3-Clause
! Fortran: module variables, COMMON, a contained procedure.  Comments as in loops.c.
module fields
  implicit none
  double precision :: u(200, 100)
  double precision, allocatable :: work(:)
contains
  subroutine sweep(n)                           ! region: sweep subroutine
    integer, intent(in) :: n
    integer :: i, j

    do j = 2, n                                 ! region: sweep loop 1
      do i = 2, 200                             ! region: sweep loop 2
        u(i, j) = u(i - 1, j) * 0.5d0 + u(i, j - 1) / 3
      end do
    end do
  end subroutine
end module

program main_program                            ! region: main_program program
  use fields
  implicit none
  integer :: k
  real :: w(500)
  integer :: flags(50)
  common /flow/ w, flags

  call random_number(u)
  allocate(work(2500))                          ! block 20000: static work fields
  call random_number(work)
  call random_number(w)
  flags = 1
  do k = 1, 20                                  ! region: main_program loop 1
    call sweep(100)
    u(1, :) = u(1, :) + work(k) * w(k) + flags(k)
  end do
  print *, sum(u)
end program
