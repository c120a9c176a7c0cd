! SPDX-License-Identifier: BSD-3-Clause
! Allocated arrays in Fortran.  "expect" as in blocks.c.
module fields
  type part
    real(8), allocatable :: b(:)
  end type
  type(part) :: host
  real(8), allocatable, target :: grid(:,:)
  real(8), allocatable :: moved(:)
  real(8), pointer :: view(:)
contains
  subroutine init(a, n)
    integer, intent(in) :: n
    real(8), allocatable, intent(out) :: a(:)
    allocate(a(n))
    a = 0
  end subroutine
end module
subroutine touch(x, n)
  integer, intent(in) :: n
  real(8) :: x(n)
  integer :: i
  do i = 1, n
    x(i) = x(i) + 1
  end do
end subroutine
subroutine step(n, x, loc, p, own)
  use fields
  integer :: n
  real(8) :: auto(n), loc(n), p(n), own(n)  ! expect: step:auto 2000 2000
  type(part) :: x
  call touch(auto, n)
  call touch(loc, n)        ! expect: main:loc 2000 2000
  call touch(p, n)          ! expect: main:p 2000 2000
  call touch(own, n)        ! expect: main:own 2000 2000
  call touch(x%b, n)        ! expect: main:x%b 2000 2000
  call touch(host%b, n)     ! expect: fields:host%b 2000 2000
  call touch(moved, n)      ! expect: fields:moved 2000 2000
  call touch(view, n)
  call touch(grid(1,1), n)  ! expect: fields:grid 4000 4000
end subroutine
program main
  use fields
  integer, parameter :: n = 1000
  integer :: i
  type(part) :: x
  real(8), allocatable :: loc(:), own(:), tmp(:)
  real(8), pointer :: p(:)
  allocate(grid(n,2), loc(n), x%b(n), host%b(n), p(n), tmp(n))
  call init(own, n)
  grid = 0; loc = 1; x%b = 2; host%b = 3; p = 4; own = 5; tmp = 6
  call move_alloc(tmp, moved)
  view => grid(:,2)
  do i = 1, 6    ! the phase
    call step(n, x, loc, p, own)
  end do
  print *, grid(1,1), loc(2), moved(3)
end program
