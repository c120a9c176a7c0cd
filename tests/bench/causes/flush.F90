! SPDX-License-Identifier: BSD-3-Clause
! The positions of a falling body are logged; each record is flushed, which is a system call.
program flush_each
  implicit none
  character(20) :: word
  real(8) :: height, speed
  integer :: steps, step, unit

  call get_command_argument(1, word)
  read (word, *) steps
  open (newunit=unit, status='scratch', access='stream', form='unformatted')
  height = 100
  speed = 0
  do step = 1, steps ! the phase
    call fall(20000)
  end do
  print '(es22.15)', height
contains
  subroutine fall(times)
    integer, intent(in) :: times
    integer :: t

    do t = 1, times
      speed = speed - 9.81d0 * 1d-3
      height = height + speed * 1d-3
      if (height < 0) speed = abs(speed)
      write (unit) height
#ifndef FIXED
      flush (unit)
#endif
    end do
  end subroutine
end program
