! A main program with everything in its phase loop; with -DCALLED, in a subroutine (see loop_versions.c).
module data
  implicit none
  integer, parameter :: n = 100
  real(8) :: u(n, n) = 1, v(n, n) = 2
  real(8) :: w(n, n) = 0
#ifdef CALLED
contains
subroutine step(t)
  integer, value :: t
  integer :: i, j
  do j = 2, n - 1
    do i = 2, n - 1
      w(i, j) = u(i, j) + 0.25d0 * (v(i - 1, j) + v(i + 1, j)) + t
    end do
  end do
  do j = 2, n - 1
    u(:, j) = w(:, j)
    if (u(3, j) > 1d6) cycle
    v(j, 1) = u(j, j)
  end do
end subroutine step
#endif
end module data

program main
  use data
  implicit none
  integer :: t, i, j
  do t = 1, 6                                       ! @switch step
#ifdef CALLED
    call step(t)
#else
    do j = 2, n - 1
      do i = 2, n - 1
        w(i, j) = u(i, j) + 0.25d0 * (v(i - 1, j) + v(i + 1, j)) + t
      end do
    end do
    do j = 2, n - 1
      u(:, j) = w(:, j)
      if (u(3, j) > 1d6) cycle
      v(j, 1) = u(j, j)
    end do
#endif
  end do
  print *, sum(w), sum(u)
end program main
