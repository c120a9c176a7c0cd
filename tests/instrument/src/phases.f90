! Every loop form of Fortran; "@phases N" is how often the loop on that line is executed.
subroutine work(x)
  integer, intent(inout) :: x
  integer :: i
  do i = 1, 2                          ! not capable: no call inside
     x = x + i
  end do
end subroutine work

subroutine plain(x)
  integer, intent(inout) :: x
  integer :: i, j
  do i = 1, 7                          ! @phases 7
     call work(x)
  end do
  do i = 10, 1, -3                     ! @phases 4
     call work(x)
  end do
  do i = 1, 0                          ! @phases 0
     call work(x)
  end do
  do i = 1, 3                          ! @phases 3
     do j = 1, 2                       ! @phases 6
        call work(x)
     end do
  end do
end subroutine plain

subroutine labelled(x)
  integer, intent(inout) :: x
  integer :: i
  do 10 i = 1, 5                       ! @phases 5
     if (i == 3) goto 10
     call work(x)
10 continue
end subroutine labelled

subroutine whiles(x)
  integer, intent(inout) :: x
  integer :: k
  k = 0
  do while (k < 6)                     ! @phases 6
     k = k + 1
     if (k == 2) cycle
     call work(x)
  end do
  k = 0
  do while (k < 100)                   ! @phases 3
     k = k + 1
     call work(x)
     if (k == 3) exit
  end do
end subroutine whiles

subroutine endless(x)
  integer, intent(inout) :: x
  integer :: k
  k = 0
  do                                   ! @phases 4
     k = k + 1
     call work(x)
     if (k == 4) exit
  end do
  k = 0
  do                                   ! @phases 5
     call work(x)
     k = k + 1
     if (k == 5) exit
     x = x + 1
  end do
end subroutine endless

subroutine jumping(x)
  integer, intent(inout) :: x
  integer :: k
  k = 0
20 call work(x)                        ! @phases 3
  k = k + 1
  if (k < 3) goto 20
end subroutine jumping

subroutine nest(x, a)
  integer, intent(inout) :: x
  real(8), intent(inout) :: a(10, 10)
  integer :: i, j
  do j = 1, 10                         ! @phases 10
     do i = 1, 10                      ! not capable: inside a pure nest
        a(i, j) = a(i, j) + x
     end do
  end do
end subroutine nest

subroutine unrolled(x)
  integer, intent(inout) :: x
  integer :: i
  do i = 1, 3                          ! @phases 3
     x = x * 3
     if (x > 1000000) call work(x)
     x = mod(x, 1000)
  end do
end subroutine unrolled

subroutine threads(x)
  integer, intent(inout) :: x
  integer :: i, j, s
  s = 0
  do i = 1, 4                          ! @phases 4
     !$omp parallel do reduction(+ : s)
     do j = 1, 10
        s = s + i * j
     end do
     !$omp end parallel do
  end do
  x = x + s
end subroutine threads

program phases
  implicit none
  integer :: x
  real(8) :: a(10, 10)
  a = 0
  x = 1
  call plain(x)
  call labelled(x)
  call whiles(x)
  call endless(x)
  call jumping(x)
  call nest(x, a)
  call unrolled(x)
  call threads(x)
  print '(i0,1x,f10.1)', x, a(3, 4)
end program phases
