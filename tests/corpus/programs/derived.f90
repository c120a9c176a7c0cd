! SPDX-License-Identifier: BSD-3-Clause
! Derived types: an array of them of which one component is read (64 bytes each: a line for every
! element), an allocatable component, and an allocatable array of types.
!
! many: 8192 elements.  one%values: 32768 doubles behind the descriptor that one holds, 256 KiB.
! cells: 4096 elements of 32 bytes, one component written.
! corpus: machine=touched
module types
  implicit none
  type particle
    real(8) :: position(3), velocity(3), mass, charge
  end type
  type box
    real(8), allocatable :: values(:)
    integer :: used
  end type
  type cell
    real(8) :: a, b, c, d
  end type
  type(particle), save :: many(8192)
  type(box), save :: one
  type(cell), allocatable, save :: cells(:)
  real(8), save :: total
contains
  subroutine step()
    integer :: i
    do i = 1, size(many)
      total = total + many(i)%mass
    end do
    do i = 1, one%used
      total = total + one%values(i)
    end do
    do i = 1, size(cells)
      cells(i)%b = total
    end do
  end subroutine
end module
program main
  use types
  implicit none
  integer :: i
  allocate(one%values(32768), cells(4096))
  one%values = 1
  one%used = 32768
  many(:)%mass = 2
  cells = cell(0, 0, 0, 0)
  do i = 1, 5    ! the phase
    call step()
  end do
  print *, total, cells(99)%b
  print '(a)', 'expect many bytes = 65536'
  print '(a)', 'expect many load_miss 1 in 8190 8194'
  print '(a)', 'expect many load_miss 2 in 8190 8194'
  print '(a)', 'expect cells bytes = 32768'
  print '(a)', 'expect cells store_miss 1 in 2046 2050'
  print '(a)', 'expect total load_miss 1 in 12280 12320'
end program
