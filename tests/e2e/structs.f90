! SPDX-License-Identifier: BSD-3-Clause
! For structs.sh: an array of a derived type, of which a loop uses one component.
module masses
  implicit none
  type vector
    double precision :: x, y, z
  end type
  type body
    type(vector) :: place, speed, force
    double precision :: mass, charge, radius
  end type
contains
  double precision function total(b)
    type(body), intent(in) :: b(:)
    integer :: i

    total = 0
    do i = 1, size(b)
      total = total + b(i)%mass
    end do
  end function
end module

program structs
  use masses
  implicit none
  type(body), allocatable :: bodies(:)
  double precision :: s = 0
  integer :: step

  allocate (bodies(20000))
  bodies%mass = 1
  do step = 1, 400
    s = s + total(bodies)
  end do
  print *, s
end program
