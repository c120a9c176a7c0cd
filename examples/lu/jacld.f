! jacld.f: the blocks of plane k that couple a point to those before it
! in the order of the grid: a to (i,j,k-1), b to (i,j-1,k), c to
! (i-1,j,k), and d to itself.
!
      subroutine jacld( k )
!
! The derivative of the discrete steady equations (see rhs.f) by the
! unknowns at a preceding neighbour is, with Q = dF/du, dG/du or dH/du,
!
!     - Q(u at the neighbour) / 2h  -  visc / h**2
!
! and by the unknowns at the point itself  6 visc / h**2 - dS/du.  Here
! each is multiplied by dt, and the unit matrix of the time derivative
! is added to d.  If q = 1, 2, 3 is the direction in which the neighbour
! lies, and v(q) the velocity in that direction, the elements of Q are
!
!     Q(1,1+q)   = csq               compression
!     Q(1+q,1)   = 1                 pressure gradient
!     Q(m,m)     = v(q)              what the flow carries, m = 2...5
!     Q(m,1+q)  += u(m)
!
! Plane k of u is read, and the plane below it; all else is written.
! The loop ends without a barrier: blts deals out the rows in the same
! way, so what a thread computes here is used by no other.
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
! Column m of a block is stored contiguously.  Most elements are zero;
! they are stored all the same, because the solver treats the blocks as
! dense matrices.
!
!$omp do schedule(static)
      do j = 2, ny - 1
         do i = 2, nx - 1
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
!           a: the neighbour below, moving with vz.
!
            a(1,1,i,j) = - f2*visc(1)
            a(1,4,i,j) = - f1*csq
            do m = 2, 5
               a(m,m,i,j) = - f1*u(4,i,j,k-1) - f2*visc(m)
            end do
            do m = 2, 5
               a(m,4,i,j) = a(m,4,i,j) - f1*u(m,i,j,k-1)
            end do
            a(4,1,i,j) = - f1
!
!           b: the neighbour in front, moving with vy.
!
            b(1,1,i,j) = - f2*visc(1)
            b(1,3,i,j) = - f1*csq
            do m = 2, 5
               b(m,m,i,j) = - f1*u(3,i,j-1,k) - f2*visc(m)
            end do
            do m = 2, 5
               b(m,3,i,j) = b(m,3,i,j) - f1*u(m,i,j-1,k)
            end do
            b(3,1,i,j) = - f1
!
!           c: the neighbour to the left, moving with vx.
!
            c(1,1,i,j) = - f2*visc(1)
            c(1,2,i,j) = - f1*csq
            do m = 2, 5
               c(m,m,i,j) = - f1*u(2,i-1,j,k) - f2*visc(m)
            end do
            do m = 2, 5
               c(m,2,i,j) = c(m,2,i,j) - f1*u(m,i-1,j,k)
            end do
            c(2,1,i,j) = - f1
         end do
      end do
!$omp end do nowait
!
      return
      end
