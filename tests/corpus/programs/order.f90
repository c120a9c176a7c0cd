! SPDX-License-Identifier: BSD-3-Clause
! Loops in the right and in the wrong order for Fortran.
!
! good: 256 x 256 doubles by columns, N / 8 misses.  bad: by rows, 2 KiB apart: all miss (a row's elements
! share two sets of level 1; in level 2 with pages by first touch 16 of 512).
! corpus: machine=touched lto
module matrices
  implicit none
  integer, parameter :: n = 256
  real(8), save :: good(n, n), bad(n, n)
  real(8), save :: total(17)    ! total(9) shares its line with nothing else
contains
  subroutine by_columns()
    integer :: i, j
    do j = 1, n
      do i = 1, n
        total(9) = total(9) + good(i, j)
      end do
    end do
  end subroutine
  subroutine by_rows()
    integer :: i, j
    do i = 1, n
      do j = 1, n
        total(9) = total(9) + bad(i, j)
      end do
    end do
  end subroutine
  subroutine step()
    call by_columns()
    call by_rows()
  end subroutine
end module
program main
  use matrices
  implicit none
  integer :: i, level
  good = 1
  bad = 2
  do i = 1, 5    ! the phase
    call step()
  end do
  print *, total(9)
  print '(a,i0)', 'expect good bytes = ', n * n * 8
  print '(a,i0)', 'expect bad bytes = ', n * n * 8
  do level = 1, 2
    print '(a,i0,a,i0,1x,i0)', 'expect good load_miss ', level, ' in ', n * n / 8 - 2, n * n / 8 + 2
    print '(a,i0,a,i0,1x,i0)', 'expect bad load_miss ', level, ' in ', n * n - 2, n * n
  end do
  print '(a)', 'expect worst bad by_rows'
end program
