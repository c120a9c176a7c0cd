! SPDX-License-Identifier: BSD-3-Clause
! Three sweeps over a grid; the last one is called in last place.
program p
  implicit none
  integer :: s
  real(8) :: u(200,200)
  common /grid/ u
  u = 1
  do s = 1, 40
    call adi
  end do
  print *, u(3,4)
end program
subroutine adi
  implicit none
  call sweep_x
  call sweep_y
  call sweep_z
end subroutine
