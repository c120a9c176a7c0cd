! SPDX-License-Identifier: BSD-3-Clause
! OpenMP in Fortran: parallel do over columns, WORKSHARE, a reduction, THREADPRIVATE, and a private array.
!
! a: 512 x 256 doubles (1 MiB), half of the columns each: a miss a line; the line in which the halves
! meet may change hands.  In level 2 it hangs on the order in which both touch their pages how many of a thread's
! have one of its eight colours: up to eight stay there, of seven colours at most.  b: 64 KiB in a workshare.  mine:
! 1024 doubles of each thread, 2 x 8192 bytes written and read.
! corpus: openmp threads=2 machine=touched lto
module work
  implicit none
  real(8), save :: a(512, 256), b(8192)
  real(8), save :: mine(1024)
  !$omp threadprivate(mine)
  real(8), save :: total
contains
  subroutine step()
    integer :: i, j
    real(8) :: s, own(256)
    s = 0
    !$omp parallel private(own)
    !$omp do schedule(static)
    do j = 1, 256
      do i = 1, 512
        a(i, j) = a(i, j) * 0.5d0 + j
      end do
    end do
    !$omp end do
    !$omp workshare
    b = b + 1
    !$omp end workshare
    do i = 1, 1024
      mine(i) = i
    end do
    own = mine(1:256)
    !$omp do reduction(+:s)
    do i = 1, 8192
      s = s + b(i) + own(1)
    end do
    !$omp end do
    !$omp end parallel
    total = s
  end subroutine
end module
program main
  use work
  implicit none
  integer :: i, level, stay
  a = 1
  b = 0
  do i = 1, 5    ! the phase
    call step()
  end do
  print *, total, a(3, 4), b(8000)
  print '(a,i0)', 'expect a bytes = ', 2 * 512 * 256 * 8
  print '(a,i0)', 'expect b bytes = ', 3 * 8192 * 8
  do level = 1, 2
    stay = (level - 1) * 2 * 7 * 8 * 64
    print '(a,i0,a,i0,1x,i0)', 'expect a load_miss ', level, ' in ', 512 * 256 / 8 - 2 - stay, 512 * 256 / 8 + 8
    print '(a,i0,a)', 'expect a store_miss ', level, ' = 0'
  end do
end program
