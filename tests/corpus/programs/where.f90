! SPDX-License-Identifier: BSD-3-Clause
! WHERE with a mask that holds for every third element of 65536, and for the elements of whole lines.
!
! a is written where mask(i) holds: with every third element every line of it misses; q only in every fourth
! block of eight doubles.  What a masked vector store does not write it may still count: between the
! third and all; in misses it makes no difference for a.
! corpus: machine=touched
module masks
  implicit none
  integer, parameter :: n = 65536
  real(8), save :: a(n), b(n), q(n)
  logical, save :: mask(n)
contains
  subroutine step()
    where (mask)
      a = b
    end where
    call blocks()
  end subroutine
  subroutine blocks()
    integer :: i, j
    do i = 1, n, 32
      do j = i, i + 7
        q(j) = q(j) + 1
      end do
    end do
  end subroutine
end module
program main
  use masks
  implicit none
  integer :: i
  do i = 1, n
    mask(i) = mod(i, 3) == 0
    b(i) = i
  end do
  a = 0
  q = 0
  do i = 1, 5    ! the phase
    call step()
  end do
  print *, a(3), a(4), q(33), q(17)
  print '(a,i0,1x,i0)', 'expect a bytes in ', n / 3 * 8, n * 8
  print '(a,i0,a)', 'expect a bytes = ', n / 3 * 8, ' at O0'
  print '(a,i0)', 'expect mask bytes = ', n * 4
  print '(a,i0,1x,i0)', 'expect a store_miss 1 in ', n / 8 - 2, n / 8 + 2
  print '(a,i0,1x,i0)', 'expect mask load_miss 1 in ', n / 16 - 2, n / 16 + 2
  print '(a,i0,1x,i0)', 'expect q load_miss 1 in ', n / 32, n / 16 + 1
  print '(a,i0)', 'expect q bytes = ', n / 4 * 16
end program
