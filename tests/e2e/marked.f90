! SPDX-License-Identifier: BSD-3-Clause
! As marked.c, in Fortran.
recursive subroutine advance(step)
  implicit none
  integer, intent(in) :: step
  integer, parameter :: n = 40000, steps = 60
  double precision :: table(n), total
  common /data/ table, total
  integer :: i
  double precision :: s
  s = 0
  call psc_phase_begin('advance')
  do i = 1, n
     s = s + table(i)
  end do
  call scale(0.5d0 + mod(step, 2) * 1.5d0)
  call psc_phase_end('advance')
  total = total + s
  if (step < steps) call advance(step + 1)
end subroutine

subroutine scale(by)
  implicit none
  double precision, intent(in) :: by
  integer, parameter :: n = 40000
  double precision :: table(n), total
  common /data/ table, total
  integer :: i
  do i = 1, n
     table(i) = table(i) * by
  end do
end subroutine

program marked
  implicit none
  integer, parameter :: n = 40000
  double precision :: table(n), total
  common /data/ table, total
  integer :: i
  do i = 1, n
     table(i) = i
  end do
  total = 0
  call advance(1)
  print '(f20.1)', total
end program
