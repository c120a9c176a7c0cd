! SPDX-License-Identifier: BSD-3-Clause
! Private and internal procedures that GCC puts where they are called, once.
module grid
  implicit none
  private
  real(8) :: u(100), v(100)
  public :: run
contains
  subroutine prepare(k)
    integer, intent(in) :: k
    integer :: i
    do i = 1, 100
      u(i) = i + k
      v(i) = 0
    end do
  end subroutine

  subroutine sweep(n)
    integer, intent(in) :: n
    integer :: i
    do i = 2, n - 1
      v(i) = v(i) + u(i - 1) - u(i + 1)
    end do
  end subroutine

  function both(k) result(r)
    integer, intent(in) :: k
    real(8) :: r
    integer :: j
    call prepare(k)
    do j = 1, 4
      call sweep(100)
      if (v(2) > 1d6) print *, 'large'
    end do
    r = v(50)
  end function

  function run(k) result(r)
    integer, intent(in) :: k
    real(8) :: r
    r = both(k) + weigh()
  contains
    function weigh() result(w)
      real(8) :: w
      integer :: i
      w = 0
      do i = 1, 100, 3
        w = w + u(i) * k
      end do
    end function
  end function
end module

program inlined
  use grid
  implicit none
  integer :: k
  real(8) :: total
  total = 0
  do k = 1, 5
    total = total + run(k)
  end do
  print '(f12.3)', total
end program
