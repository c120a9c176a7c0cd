! SPDX-License-Identifier: BSD-3-Clause
! Sweeps over grids.  An array's first index runs along memory: the inner loop should be over it.
module loops
   use, intrinsic :: iso_c_binding, only: c_double, c_int
   implicit none
   integer, parameter :: d = c_double, n4 = c_int
contains

   ! The mean of four neighbours; the inner loop is over the second index.
   subroutine average_wrong(b, a, n1, n2) bind(c)
      integer(n4), value :: n1, n2
      real(d), intent(in) :: a(n1, n2)
      real(d), intent(inout) :: b(n1, n2)
      integer :: i, j
      do i = 2, n1 - 1
         do j = 2, n2 - 1
            b(i, j) = 0.25_d * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
         end do
      end do
   end subroutine

   subroutine average_right(b, a, n1, n2) bind(c)
      integer(n4), value :: n1, n2
      real(d), intent(in) :: a(n1, n2)
      real(d), intent(inout) :: b(n1, n2)
      integer :: i, j
      do j = 2, n2 - 1
         do i = 2, n1 - 1
            b(i, j) = 0.25_d * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
         end do
      end do
   end subroutine

   ! A time step of the heat equation, explicit; the loops the wrong way round.
   subroutine heat_wrong(v, u, n1, n2, c) bind(c)
      integer(n4), value :: n1, n2
      real(d), intent(in) :: u(n1, n2)
      real(d), intent(inout) :: v(n1, n2)
      real(d), value :: c
      integer :: i, j
      do i = 2, n1 - 1
         do j = 2, n2 - 1
            v(i, j) = u(i, j) + c * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) &
               - 4.0_d * u(i, j))
         end do
      end do
   end subroutine

   subroutine heat_right(v, u, n1, n2, c) bind(c)
      integer(n4), value :: n1, n2
      real(d), intent(in) :: u(n1, n2)
      real(d), intent(inout) :: v(n1, n2)
      real(d), value :: c
      integer :: i, j
      do j = 2, n2 - 1
         do i = 2, n1 - 1
            v(i, j) = u(i, j) + c * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) &
               - 4.0_d * u(i, j))
         end do
      end do
   end subroutine

   ! Seven points in three dimensions; m1, m2: of the array, of which n1 by n2 by n3 are the grid.
   subroutine seven_points(b, a, n1, n2, n3, m1, m2) bind(c)
      integer(n4), value :: n1, n2, n3, m1, m2
      real(d), intent(in) :: a(m1, m2, n3)
      real(d), intent(inout) :: b(m1, m2, n3)
      integer :: i, j, k
      do k = 2, n3 - 1
         do j = 2, n2 - 1
            do i = 2, n1 - 1
               b(i, j, k) = a(i, j, k) + 0.1_d * (a(i - 1, j, k) + a(i + 1, j, k) &
                  + a(i, j - 1, k) + a(i, j + 1, k) + a(i, j, k - 1) + a(i, j, k + 1))
            end do
         end do
      end do
   end subroutine

   ! The same, the inner loop over the last index.
   subroutine seven_points_wrong(b, a, n1, n2, n3, m1, m2) bind(c)
      integer(n4), value :: n1, n2, n3, m1, m2
      real(d), intent(in) :: a(m1, m2, n3)
      real(d), intent(inout) :: b(m1, m2, n3)
      integer :: i, j, k
      do j = 2, n2 - 1
         do i = 2, n1 - 1
            do k = 2, n3 - 1
               b(i, j, k) = a(i, j, k) + 0.1_d * (a(i - 1, j, k) + a(i + 1, j, k) &
                  + a(i, j - 1, k) + a(i, j + 1, k) + a(i, j, k - 1) + a(i, j, k + 1))
            end do
         end do
      end do
   end subroutine
end module
