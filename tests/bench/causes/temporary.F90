! SPDX-License-Identifier: BSD-3-Clause
! A field is probed at some stations by a routine that wants its columns where the field has rows: each
! call makes a transposed copy of all of it, an array temporary.
module stations
  implicit none
  integer, parameter :: n = 300, places = 400
contains
  subroutine probe(field, at, total)
    real(8), intent(in) :: field(n, n)
    integer, intent(in) :: at(2, places)
    real(8), intent(inout) :: total
    integer :: i

    do i = 1, places
      total = total + field(at(1, i), at(2, i))
    end do
  end subroutine
end module

program temporary
  use stations
  implicit none
  real(8) :: field(n, n), total
  integer :: at(2, places), steps, step, i
  character(20) :: word

  call get_command_argument(1, word)
  read (word, *) steps
  field = reshape([(mod(i, 31) / 31d0, i = 1, n * n)], [n, n])
  at = reshape([(1 + mod(i * 37, n), i = 1, 2 * places)], [2, places])
  total = 0
  do step = 1, steps ! the phase
    do i = 1, 40
#ifdef FIXED
      call probe(field, at([2, 1], :), total)
#else
      call probe(transpose(field), at, total)
#endif
      field(1 + mod(i, n), 5) = total
    end do
  end do
  print '(es22.15)', total
end program
