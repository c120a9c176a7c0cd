! SPDX-License-Identifier: BSD-3-Clause
! Polymorphism, finalizers, submodules, entries, coarrays of one image, namelists, recursive output.
! flags: -O2 -fcoarray=single
! flags: -O0 -fcoarray=single -fcheck=all
module shapes
  implicit none
  type, abstract :: shape
    real(8), allocatable :: weights(:)
  contains
    procedure(area_of), deferred :: area
    procedure :: scale
  end type
  abstract interface
    real(8) function area_of(self)
      import shape
      class(shape), intent(in) :: self
    end function
  end interface
  type, extends(shape) :: square
    real(8) :: side = 2
  contains
    procedure :: area => square_area
    final :: square_final
  end type
  integer :: finalized = 0
  interface
    module subroutine add_index(x, n)
      integer, intent(in) :: n
      real(8), intent(inout) :: x(n)
    end subroutine
  end interface
contains
  subroutine scale(self, factor)
    class(shape), intent(inout) :: self
    real(8), intent(in) :: factor
    if (.not. allocated(self%weights)) allocate (self%weights(100), source=1d0)
    self%weights = self%weights * factor
  end subroutine
  real(8) function square_area(self)
    class(square), intent(in) :: self
    square_area = self%side**2
    if (allocated(self%weights)) square_area = square_area + sum(self%weights)
  end function
  subroutine square_final(x)
    type(square), intent(inout) :: x
    finalized = finalized + 1
  end subroutine
end module

submodule (shapes) implementation
contains
  module subroutine add_index(x, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    integer :: i
    do concurrent (i = 1:n)
      x(i) = x(i) + i
    end do
  end subroutine
end submodule

subroutine increase(a, n)
  integer :: n
  real(8) :: a(n), one(4), common_part
  integer :: words(8)
  equivalence (one, words)
  common /block/ common_part(50)
  a = a + 1
  return
  entry increase_by_common(a, n)
  one = 1d0
  a = a + one(1) + words(2) * 0 + common_part(3)
  common_part(3) = common_part(3) + 1
end subroutine

recursive function factorial(n) result(r)
  integer, intent(in) :: n
  real(8) :: r
  character(20) :: text
  if (n <= 1) then
    r = 1
  else
    r = n * factorial(n - 1)
  end if
  write (text, '(i5)') n
end function

program main
  use shapes
  implicit none
  integer :: it, i
  real(8) :: total, x(200), factorial
  integer, allocatable :: counts[:]
  character(len=:), allocatable :: text
  class(shape), allocatable :: p
  namelist /state/ it, total
  external factorial, increase, increase_by_common
  allocate (counts[*])
  counts = 0
  total = 0
  x = 0
  do it = 1, 12
    call step(it)   ! PHASE
  end do
  write (*, '(f20.6, i6, i6)') total, finalized, counts
  it = 3
  write (*, nml=state)
contains
  subroutine step(k)
    integer, intent(in) :: k
    type(square) :: here
    real(8), pointer :: q(:)
    allocate (square :: p)
    call p%scale(1.5d0)
    associate (a => x(1:100:2))
      a = a + 1
      call add_index(x, 200)
    end associate
    block
      real(8) :: few(k)
      few = k
      total = total + sum(few)
    end block
    total = total + p%area() + here%area()
    deallocate (p)
    call increase(x, 200)
    call increase_by_common(x, 200)
    total = total + factorial(10) + x(7)
    counts[this_image()] = counts + 1
    allocate (q(k))
    q = [(real(i, 8), i = 1, k)]
    total = total + dot_product(q, q)
    deallocate (q)
    text = repeat('ab', k)
    total = total + len(text) + sum(pack(x, mod([(i, i = 1, 200)], 3) == 0))
    where (x > 1000) x = x - 900
    forall (i = 1:100) x(i) = x(i) * 0.5
    total = total + sum(matmul(reshape(x(1:100), [10, 10]), reshape(x(101:200), [10, 10])))
  end subroutine
end program
