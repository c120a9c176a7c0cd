! Nested parallel regions, tasks, sections, ordered, reductions, recursion, I/O, early returns.
module state
  implicit none
  integer, parameter :: n = 50
  real(8) :: v(n), w(n)
  integer :: hits
contains
  recursive integer function depth(k) result(d)
    integer, intent(in) :: k
    if (k <= 0) then
       d = 0
       return
    end if
    d = 1 + depth(k - 1)
  end function depth

  subroutine teams
    integer :: i, j
    !$omp parallel private(j) num_threads(2)
    !$omp do ordered
    do i = 1, 4
       !$omp ordered
       v(i) = v(i) + i
       !$omp end ordered
    end do
    !$omp end do
    !$omp single
    !$omp task
    call bump(1)
    !$omp end task
    !$omp task
    call bump(2)
    !$omp end task
    !$omp taskwait
    !$omp end single
    !$omp parallel do num_threads(2) if (.true.)
    do j = 1, n
       !$omp atomic
       w(j) = w(j) + 1
    end do
    !$omp end parallel do
    !$omp end parallel
  end subroutine teams

  subroutine bump(k)
    integer, intent(in) :: k
    !$omp critical (guard)
    hits = hits + k
    !$omp end critical (guard)
  end subroutine bump

  subroutine workshared
    !$omp parallel
    !$omp workshare
    v = v + 1
    w(1:10) = v(1:10) * 2
    !$omp end workshare
    !$omp end parallel
  end subroutine workshared

  real(8) function pick(a, k)
    real(8), intent(in) :: a(:)
    integer, intent(in) :: k
    integer :: i
    pick = -1
    do i = 1, size(a)
       if (i == k) then
          pick = a(i)
          return
       end if
    end do
  end function pick

  subroutine loops_with_simd
    integer :: i
    !$omp parallel do simd
    do i = 1, n
       v(i) = v(i) * 2
    end do
    !$omp simd
    do i = 1, n
       w(i) = w(i) + v(i)
    end do
    !$omp parallel
    !$omp single
    !$omp taskloop
    do i = 1, n
       v(i) = v(i) + 1
    end do
    !$omp end single
    !$omp end parallel
  end subroutine loops_with_simd
end module state

program constructs
  use state
  implicit none
  character(10) :: text
  real(8), allocatable :: grow(:)
  integer :: i
  v = 0
  w = 0
  hits = 0
  call teams
  call workshared
  call loops_with_simd
  allocate(grow(0))
  do i = 1, 5
     grow = [grow, real(i, 8)]
     write (text, '(i0)') i
  end do
  print '(i0,1x,i0,1x,f10.2,1x,f10.2,1x,f8.2,1x,a)', depth(10), hits, sum(v), pick(w, 7), sum(grow), &
       trim(text)
  if (pick(v, 3) > 0) stop 7
end program constructs
