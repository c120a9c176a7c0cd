! jacu.f: the blocks of plane k that couple a point to those after it in
! the order of the grid: a to (i+1,j,k), b to (i,j+1,k), c to (i,j,k+1),
! and d to itself.
!
      subroutine jacu( k )
!
! The derivative of the discrete steady equations by the unknowns at a
! following neighbour is
!
!     + Q(u at the neighbour) / 2h  -  visc / h**2
!
! which differs from jacld.f only in the sign of the first term; d is
! the same as there, but it has to be computed again, because there is
! memory for the blocks of one plane only.
!
! The rows are dealt out from the last to the first, as buts does.
!
      implicit none
      integer k
      include 'lu.inc'
      integer i, j, l, m
      double precision f1, f2, vv
!
      f1 = dt*h1
      f2 = dt*h2
!
!$omp do schedule(static)
      do j = ny - 1, 2, -1
         do i = nx - 1, 2, -1
            do m = 1, 5
               do l = 1, 5
                  a(l,m,i,j) = 0.0d0
                  b(l,m,i,j) = 0.0d0
                  c(l,m,i,j) = 0.0d0
                  d(l,m,i,j) = 0.0d0
               end do
               d(m,m,i,j) = 1.0d0 + 6.0d0*f2*visc(m)
            end do
!
!           d: minus the derivative of the sources.
!
            vv = u(2,i,j,k)**2 + u(3,i,j,k)**2 + u(4,i,j,k)**2
            d(1,1,i,j) = d(1,1,i,j) + dt*leak
            d(1,5,i,j) = - dt*expn
            do m = 2, 4
               do l = 2, 4
                  d(l,m,i,j) = d(l,m,i,j)
     &                       + dt*drag*2.0d0*u(l,i,j,k)*u(m,i,j,k)
               end do
               d(m,m,i,j) = d(m,m,i,j) + dt*drag*vv
               d(5,m,i,j) = - dt*heat*2.0d0*u(m,i,j,k)
            end do
            d(4,5,i,j) = - dt*buoy
            d(5,5,i,j) = d(5,5,i,j) + dt*cool*2.0d0*u(5,i,j,k)
!
!           a: the neighbour to the right, moving with vx.
!
            a(1,1,i,j) = - f2*visc(1)
            a(1,2,i,j) = f1*csq
            do m = 2, 5
               a(m,m,i,j) = f1*u(2,i+1,j,k) - f2*visc(m)
            end do
            do m = 2, 5
               a(m,2,i,j) = a(m,2,i,j) + f1*u(m,i+1,j,k)
            end do
            a(2,1,i,j) = f1
!
!           b: the neighbour behind, moving with vy.
!
            b(1,1,i,j) = - f2*visc(1)
            b(1,3,i,j) = f1*csq
            do m = 2, 5
               b(m,m,i,j) = f1*u(3,i,j+1,k) - f2*visc(m)
            end do
            do m = 2, 5
               b(m,3,i,j) = b(m,3,i,j) + f1*u(m,i,j+1,k)
            end do
            b(3,1,i,j) = f1
!
!           c: the neighbour above, moving with vz.
!
            c(1,1,i,j) = - f2*visc(1)
            c(1,4,i,j) = f1*csq
            do m = 2, 5
               c(m,m,i,j) = f1*u(4,i,j,k+1) - f2*visc(m)
            end do
            do m = 2, 5
               c(m,4,i,j) = c(m,4,i,j) + f1*u(m,i,j,k+1)
            end do
            c(4,1,i,j) = f1
         end do
      end do
!$omp end do nowait
!
      return
      end
