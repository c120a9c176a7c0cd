! SPDX-License-Identifier: BSD-3-Clause
! Array sections: a strided copy, a block in a matrix, and a vector subscript.
!
! b(1:n:2) = c(2:n:2): half of the elements, all lines of both.
! m(17:48, :) = 1: 32 of 256 rows, 4 lines (5, unless aligned) of each of 256 columns.
! e(index) = f: 65536 stores, a permutation that visits one line after the other, each time another.
! corpus: machine=touched
module data
  implicit none
  integer, parameter :: n = 65536
  real(8), save :: b(n), c(n), e(n), f(n), m(256, 256)
  integer, save :: index(n)
contains
  subroutine step()
    b(1:n:2) = c(2:n:2)
    m(17:48, :) = b(1)
    call scatter()
  end subroutine
  subroutine scatter()
    e(index) = f
  end subroutine
end module
program main
  use data
  implicit none
  integer :: i, level
  do i = 1, n
    index(i) = mod(i - 1, 8192) * 8 + (i - 1) / 8192 + 1
    c(i) = mod(i, 9)
    f(i) = i
  end do
  b = 0
  e = 0
  do i = 1, 5    ! the phase
    call step()
  end do
  print *, b(3), e(17), m(20, 30)
  print '(a,i0)', 'expect b bytes = ', n / 2 * 8 + 8
  print '(a,i0,a)', 'expect c bytes = ', n / 2 * 8, ' at O0 O2'
  print '(a,i0)', 'expect m bytes = ', 32 * 256 * 8
  print '(a,i0)', 'expect e bytes = ', n * 8
  print '(a,i0)', 'expect index bytes = ', n * 4
  do level = 1, 2
    print '(a,i0,a,i0,1x,i0)', 'expect b miss ', level, ' in ', n / 8 - 2, n / 8 + 2
    print '(a,i0,a,i0,1x,i0)', 'expect c miss ', level, ' in ', n / 8 - 2, n / 8 + 2
    print '(a,i0,a,i0,1x,i0)', 'expect e miss ', level, ' in ', n - 2, n + 2
    print '(a,i0,a,i0,1x,i0)', 'expect index miss ', level, ' in ', n / 16 - 2, n / 16 + 2
    print '(a,i0,a,i0,1x,i0)', 'expect m miss ', level, ' in ', 4 * 256, 5 * 256
  end do
end program
