! SPDX-License-Identifier: BSD-3-Clause
! shallow: waves on shallow water, a stencil that streams through the memory.
!
!     shallow [ steps ]
!
! With velocity (u,v), height h and q = curl(u,v)/h, the equations are
!
!     u_t =  q*h*v - (g*h + (u**2 + v**2)/2)_x
!     v_t = -q*h*u - (g*h + (u**2 + v**2)/2)_y
!     h_t = -(h*u)_x - (h*v)_y
!
! on a square that is periodic in x and y.  Staggered grid: h in the middle of a cell, u on its left
! edge, v on its lower edge, q on its lower left corner.  Centred differences and means, leapfrog in
! time with a filter against its second solution.  513 x 513 points, the last row and column of which
! repeat the first: thirteen arrays of 2 Mbyte, each read or written once or twice in a step.
!
! With OpenMP the threads share the columns, in equal blocks; without, the directives are comments.
!
! Exit status: 0 if mass and energy are what they were, 1 if not, 2 for wrong arguments.
module water
   implicit none
   integer, parameter :: n = 513, dp = kind(1.0d0)
   real(dp), parameter :: gravity = 9.81d0, size = 1.0d6, dx = size/(n - 1), dt = 5.0d0, &
      pi = 3.14159265358979324d0, weight = 1.0d-3
   real(dp), allocatable :: u(:,:), v(:,:), h(:,:), uold(:,:), vold(:,:), hold(:,:), &
      unew(:,:), vnew(:,:), hnew(:,:), hu(:,:), hv(:,:), q(:,:), b(:,:)
contains

   ! A vortex in every quarter of the square, in balance with nothing.
   subroutine start
      integer :: i, j
      real(dp) :: x, y

      allocate (u(n,n), v(n,n), h(n,n), uold(n,n), vold(n,n), hold(n,n))
      allocate (unew(n,n), vnew(n,n), hnew(n,n), hu(n,n), hv(n,n), q(n,n), b(n,n))
      !$omp parallel do private(i, x, y)
      do j = 1, n
         do i = 1, n
            x = 2*pi*modulo(i - 1, n - 1)/(n - 1)
            y = 2*pi*modulo(j - 1, n - 1)/(n - 1)
            u(i,j) = -5*sin(x)*cos(y + pi/(n - 1))
            v(i,j) = 5*cos(x + pi/(n - 1))*sin(y)
            h(i,j) = 1000 + 10*cos(x)*cos(y)
         end do
      end do
      uold = u
      vold = v
      hold = h
      hu = 0
      hv = 0
      q = 0
      b = 0
   end subroutine

   ! Repeats the first row and column.
   subroutine wrap(a)
      real(dp), intent(inout) :: a(n,n)

      a(n,1:n-1) = a(1,1:n-1)
      a(:,n) = a(:,1)
   end subroutine

   ! Transports, vorticity over height, head.
   subroutine fluxes
      integer :: i, j

      !$omp parallel do private(i)
      do j = 2, n
         do i = 2, n
            hu(i,j) = (h(i,j) + h(i-1,j))/2*u(i,j)
            hv(i,j) = (h(i,j) + h(i,j-1))/2*v(i,j)
            q(i,j) = ((v(i,j) - v(i-1,j)) - (u(i,j) - u(i,j-1)))/dx*4/ &
               (h(i,j) + h(i-1,j) + h(i,j-1) + h(i-1,j-1))
         end do
      end do
      !$omp parallel do private(i)
      do j = 1, n - 1
         do i = 1, n - 1
            b(i,j) = gravity*h(i,j) + (u(i,j)**2 + u(i+1,j)**2 + v(i,j)**2 + v(i,j+1)**2)/4
         end do
      end do
      call unwrap(hu)
      call unwrap(hv)
      call unwrap(q)
      call wrap(b)
   end subroutine

   ! Repeats the last row and column.
   subroutine unwrap(a)
      real(dp), intent(inout) :: a(n,n)

      a(1,2:n) = a(n,2:n)
      a(:,1) = a(:,n)
   end subroutine

   subroutine advance(tau)
      real(dp), intent(in) :: tau
      integer :: i, j

      !$omp parallel do private(i)
      do j = 2, n - 1
         do i = 2, n - 1
            unew(i,j) = uold(i,j) + tau*((q(i,j) + q(i,j+1))/2* &
               (hv(i,j) + hv(i-1,j) + hv(i,j+1) + hv(i-1,j+1))/4 - (b(i,j) - b(i-1,j))/dx)
            vnew(i,j) = vold(i,j) - tau*((q(i,j) + q(i+1,j))/2* &
               (hu(i,j) + hu(i,j-1) + hu(i+1,j) + hu(i+1,j-1))/4 + (b(i,j) - b(i,j-1))/dx)
            hnew(i,j) = hold(i,j) - tau*(hu(i+1,j) - hu(i,j) + hv(i,j+1) - hv(i,j))/dx
         end do
      end do
      call edge(tau)
      call wrap(unew)
      call wrap(vnew)
      call wrap(hnew)
   end subroutine

   ! The same in the first row and column, whose left and lower neighbours are the last.
   subroutine edge(tau)
      real(dp), intent(in) :: tau
      integer :: i, j, k, im, jm

      !$omp parallel do private(i, j, im, jm)
      do k = 1, 2*n - 3
         i = max(1, k - n + 2)
         j = max(1, n - k)
         im = modulo(i - 2, n - 1) + 1
         jm = modulo(j - 2, n - 1) + 1
         unew(i,j) = uold(i,j) + tau*((q(i,j) + q(i,j+1))/2* &
            (hv(i,j) + hv(im,j) + hv(i,j+1) + hv(im,j+1))/4 - (b(i,j) - b(im,j))/dx)
         vnew(i,j) = vold(i,j) - tau*((q(i,j) + q(i+1,j))/2* &
            (hu(i,j) + hu(i,jm) + hu(i+1,j) + hu(i+1,jm))/4 + (b(i,j) - b(i,jm))/dx)
         hnew(i,j) = hold(i,j) - tau*(hu(i+1,j) - hu(i,j) + hv(i,j+1) - hv(i,j))/dx
      end do
   end subroutine

   ! The new time becomes the present one, the present one, filtered, the old one.
   subroutine turn
      integer :: i, j

      !$omp parallel do private(i)
      do j = 1, n
         do i = 1, n
            uold(i,j) = u(i,j) + weight*(unew(i,j) - 2*u(i,j) + uold(i,j))
            vold(i,j) = v(i,j) + weight*(vnew(i,j) - 2*v(i,j) + vold(i,j))
            hold(i,j) = h(i,j) + weight*(hnew(i,j) - 2*h(i,j) + hold(i,j))
            u(i,j) = unew(i,j)
            v(i,j) = vnew(i,j)
            h(i,j) = hnew(i,j)
         end do
      end do
   end subroutine

   subroutine sums(mass, energy)
      real(dp), intent(out) :: mass, energy
      integer :: i, j

      mass = 0
      energy = 0
      do j = 1, n - 1
         do i = 1, n - 1
            mass = mass + h(i,j)
            energy = energy + h(i,j)*(gravity*h(i,j)/2 + &
               (u(i,j)**2 + u(i+1,j)**2 + v(i,j)**2 + v(i,j+1)**2)/4)
         end do
      end do
      mass = mass/(n - 1)**2
      energy = energy/(n - 1)**2
   end subroutine
end module

program shallow
   use water
   implicit none
   character(16) :: arg
   integer :: steps, step, ios
   real(dp) :: mass(2), energy(2)

   steps = 60
   if (command_argument_count() > 0) then
      call get_command_argument(1, arg)
      read (arg, *, iostat=ios) steps
      if (ios /= 0 .or. steps < 1) then
         write (0, '(a)') 'usage: shallow [ steps ]'
         call exit(2)
      end if
   end if
   call start
   call sums(mass(1), energy(1))
   call fluxes
   call advance(dt)
   call turn
   do step = 1, steps        ! the phase
      call fluxes
      call advance(2*dt)
      call turn
   end do
   call sums(mass(2), energy(2))
   write (*, '(a,i0)') 'steps:  ', steps
   write (*, '(a,2(1x,es22.15))') 'mass:  ', mass
   write (*, '(a,2(1x,es22.15))') 'energy:', energy
   if (.not. (abs(mass(2)/mass(1) - 1) < 1d-12 .and. abs(energy(2)/energy(1) - 1) < 1d-5)) &
      call exit(1)
end program
