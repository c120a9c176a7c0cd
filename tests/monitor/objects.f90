! SPDX-License-Identifier: BSD-3-Clause
! Arrays that are known only at run time: allocatable, pointer, dummies of every kind.
module store
  real(8), allocatable :: grid(:,:)
  real(8), pointer :: view(:)
  real(8), target :: fixed(1000)
end module
subroutine work(x, n)
  integer :: n
  real(8) :: x(n)
  integer :: i
  do i = 1, n
    x(i) = x(i) * 2
  end do
end subroutine
subroutine shaped(y)
  real(8) :: y(:)
  integer :: i
  do i = 1, size(y)
    y(i) = y(i) + 1
  end do
end subroutine
subroutine step()
  use store
  interface
    subroutine shaped(y)
      real(8) :: y(:)
    end subroutine
  end interface
  real(8), allocatable :: tmp(:)
  allocate(tmp(5000))
  tmp = 1
  call work(tmp, 5000)
  call work(grid(1,3), 100)
  call shaped(grid(:,2))
  call shaped(view)
  view(3) = tmp(9)
end subroutine
program p
  use store
  integer :: i
  allocate(grid(100,100))
  grid = 0
  fixed = 0
  view => fixed(11:20)
  do i = 1, 6    ! the phase
    call step()
  end do
  print *, grid(1,3), fixed(11)
end program
