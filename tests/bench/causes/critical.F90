! SPDX-License-Identifier: BSD-3-Clause
! The energy of many bodies is summed up by threads, each body in a critical section.
program critical
  implicit none
  integer, parameter :: bodies = 200000
  real(8), allocatable :: mass(:), speed(:)
  real(8) :: energy
  character(20) :: word
  integer :: steps, step, i

  call get_command_argument(1, word)
  read (word, *) steps
  allocate (mass(bodies), speed(bodies))
  mass = [(1d0 + mod(i, 3), i = 1, bodies)]
  speed = [(mod(i, 16) * 0.25d0, i = 1, bodies)]
  energy = 0
  do step = 1, steps ! the phase
    call add_energy
  end do
  print '(es22.15)', energy
contains
  subroutine add_energy
    real(8) :: one
    integer :: b

#ifdef FIXED
    !$omp parallel do private(one) num_threads(2) reduction(+:energy)
#else
    !$omp parallel do private(one) num_threads(2)
#endif
    do b = 1, bodies
      one = 0.5d0 * mass(b) * speed(b)**2
#ifndef FIXED
      !$omp critical
#endif
      energy = energy + one
#ifndef FIXED
      !$omp end critical
#endif
    end do
  end subroutine
end program
