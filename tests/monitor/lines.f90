! SPDX-License-Identifier: BSD-3-Clause
! As lines.c.
module data
  implicit none
  integer, parameter :: n = 4096
  double precision, save :: m(17*n + 8)
end module data

subroutine indexed(s)
  use data
  implicit none
  double precision, intent(inout) :: s
  integer :: i
  do i = 1, n
     s = s + m(i)                      ! indexed streams
     m(n + 16*i) = s                   ! indexed strides
     m(17*n + 1 + iand(i, 7)) = i      ! indexed hits
  end do
end subroutine indexed

subroutine affine(s)
  use data
  implicit none
  double precision, intent(inout) :: s
  integer :: i
  do i = 1, n
     s = s + m(i)                      ! affine streams
     m(n + 16*i) = s                   ! affine strides
  end do
end subroutine affine

program lines
  use data
  implicit none
  double precision :: s
  integer :: k
  s = 0
  m = 0
  do k = 1, 4                          ! the phase
     call indexed(s)
     call affine(s)
  end do
  print *, s
end program lines
