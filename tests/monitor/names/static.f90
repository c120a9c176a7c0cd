! To be linked with -static: at its end the Fortran library closes its units, with locks where it
! finds threads.
program main
  implicit none
  real(8), save :: a(1000)    ! expect: a 4000 4000
  integer :: i, j
  character(20) :: line
  a = 1
  do i = 1, 4           ! the phase
    do j = 1, 2
      call scale(a)
    end do
  end do
  open (10, status='scratch')
  write (10, *) 42
  rewind (10)
  read (10, '(a)') line
  print *, sum(a), trim(line)
contains
  subroutine scale(x)
    real(8), intent(inout) :: x(:)
    x = x * 1.5d0
  end subroutine
end program
