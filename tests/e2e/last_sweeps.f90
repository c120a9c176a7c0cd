! SPDX-License-Identifier: BSD-3-Clause
! The sweeps of last_call.f90, in a unit of their own.
subroutine sweep_x
  real(8) :: u(200,200)
  common /grid/ u
  integer i, j
  do j = 1, 200
    do i = 2, 200
      u(i,j) = u(i,j) + 0.1d0*u(i-1,j)
    end do
  end do
end subroutine
subroutine sweep_y
  real(8) :: u(200,200)
  common /grid/ u
  integer i, j
  do j = 2, 200
    do i = 1, 200
      u(i,j) = 0.5d0*(u(i,j) + u(i,j-1))
    end do
  end do
end subroutine
subroutine sweep_z
  real(8) :: u(200,200)
  common /grid/ u
  integer i, j
  do i = 1, 200
    do j = 2, 200
      u(i,j) = 0.5d0*(u(i,j) + u(i,j-1))
    end do
  end do
end subroutine
