! SPDX-License-Identifier: BSD-3-Clause
! For structs.sh: derived types in arrays of all kinds.
module structs
  type vector
    double precision :: x, y, z
  end type
  type body
    type(vector) :: place, speed
    double precision :: mass
    integer :: id(3)
    double precision, allocatable :: near(:)
  end type
  type, extends(vector) :: heavy
    double precision :: mass
  end type
  type(body), allocatable :: bodies(:)
  type(body) :: fixed(1000)
contains
  subroutine move(b, n, step)
    integer :: n, i
    type(body) :: b(n)
    double precision :: step
    do i = 1, n
      b(i)%place%x = b(i)%place%x + step * b(i)%speed%x
    end do
  end subroutine
  double precision function masses(b)
    integer :: i
    type(body) :: b(:)
    masses = 0
    do i = 1, size(b)
      masses = masses + b(i)%mass
    end do
  end function
  double precision function others(h, m)
    integer :: i, m
    type(heavy), pointer :: h(:)
    others = 0
    do i = 1, m
      others = others + fixed(i)%id(2) + bodies(i)%near(i)
    end do
    do i = 1, m
      others = others + h(i)%x
    end do
    others = others + sum(bodies%speed%z)
  end function
end module
