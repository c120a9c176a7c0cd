program nodes
  implicit none
  type item
    real(8) :: v(40)
    type(item), pointer :: next => null()
  end type
  type branch
    real(8) :: v(40)
    type(branch), pointer :: left => null(), right => null()
  end type
  type(item), pointer :: first
  type(branch), pointer :: root
  real(8), allocatable :: x(:)
  allocate(first, root, x(10))
  first%v = 1
  root%v = 2
  x = first%v(1) + root%v(1)
  print *, sum(x)
end program
