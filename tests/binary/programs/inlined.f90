! SPDX-License-Identifier: BSD-3-Clause
! A COMMON block that only a subroutine knows of which nothing but inlined copies is left: DWARF has no addresses of its members.
program inlined
  implicit none
  integer :: k
  do k = 1, 3
    call add(k)
  end do
contains
  subroutine add(k)
    integer, intent(in) :: k
    real(8) :: a(1000), b(500)
    integer :: n(300)
    common /fields/ a, b, n
    a(k) = a(k) + b(k) + n(k)
    print *, a(k)
  end subroutine
end program
