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
      integer i, j
      double precision f1, f2, vx, vy, vz, t, vv
!
      f1 = dt*h1
      f2 = dt*h2
!
! Column m of a block is stored contiguously.  Every element is stored,
! once and in this order, also the many that are zero, because the
! solver treats the blocks as dense matrices.
!
!$omp do schedule(static)
      do j = 2, ny - 1
         do i = 2, nx - 1
!
!           d: minus the derivative of the sources, diffusion and the
!           unit matrix.
!
            vx = u(2,i,j,k)
            vy = u(3,i,j,k)
            vz = u(4,i,j,k)
            t  = u(5,i,j,k)
            vv = vx**2 + vy**2 + vz**2
            d(1,1,i,j) = 1.0d0 + 6.0d0*f2*visc(1) + dt*leak
            d(2,1,i,j) = 0.0d0
            d(3,1,i,j) = 0.0d0
            d(4,1,i,j) = 0.0d0
            d(5,1,i,j) = 0.0d0
            d(1,2,i,j) = 0.0d0
            d(2,2,i,j) = 1.0d0 + 6.0d0*f2*visc(2)
     &                 + dt*drag*(vv + 2.0d0*vx**2)
            d(3,2,i,j) = dt*drag*2.0d0*vy*vx
            d(4,2,i,j) = dt*drag*2.0d0*vz*vx
            d(5,2,i,j) = - dt*heat*2.0d0*vx
            d(1,3,i,j) = 0.0d0
            d(2,3,i,j) = dt*drag*2.0d0*vx*vy
            d(3,3,i,j) = 1.0d0 + 6.0d0*f2*visc(3)
     &                 + dt*drag*(vv + 2.0d0*vy**2)
            d(4,3,i,j) = dt*drag*2.0d0*vz*vy
            d(5,3,i,j) = - dt*heat*2.0d0*vy
            d(1,4,i,j) = 0.0d0
            d(2,4,i,j) = dt*drag*2.0d0*vx*vz
            d(3,4,i,j) = dt*drag*2.0d0*vy*vz
            d(4,4,i,j) = 1.0d0 + 6.0d0*f2*visc(4)
     &                 + dt*drag*(vv + 2.0d0*vz**2)
            d(5,4,i,j) = - dt*heat*2.0d0*vz
            d(1,5,i,j) = - dt*expn
            d(2,5,i,j) = 0.0d0
            d(3,5,i,j) = 0.0d0
            d(4,5,i,j) = - dt*buoy
            d(5,5,i,j) = 1.0d0 + 6.0d0*f2*visc(5)
     &                 + dt*cool*2.0d0*t
!
!           a: the neighbour below, moving with vz.
!
            vx = u(2,i,j,k-1)
            vy = u(3,i,j,k-1)
            vz = u(4,i,j,k-1)
            t  = u(5,i,j,k-1)
            a(1,1,i,j) = - f2*visc(1)
            a(2,1,i,j) = 0.0d0
            a(3,1,i,j) = 0.0d0
            a(4,1,i,j) = - f1
            a(5,1,i,j) = 0.0d0
            a(1,2,i,j) = 0.0d0
            a(2,2,i,j) = - f1*vz - f2*visc(2)
            a(3,2,i,j) = 0.0d0
            a(4,2,i,j) = 0.0d0
            a(5,2,i,j) = 0.0d0
            a(1,3,i,j) = 0.0d0
            a(2,3,i,j) = 0.0d0
            a(3,3,i,j) = - f1*vz - f2*visc(3)
            a(4,3,i,j) = 0.0d0
            a(5,3,i,j) = 0.0d0
            a(1,4,i,j) = - f1*csq
            a(2,4,i,j) = - f1*vx
            a(3,4,i,j) = - f1*vy
            a(4,4,i,j) = - f1*2.0d0*vz - f2*visc(4)
            a(5,4,i,j) = - f1*t
            a(1,5,i,j) = 0.0d0
            a(2,5,i,j) = 0.0d0
            a(3,5,i,j) = 0.0d0
            a(4,5,i,j) = 0.0d0
            a(5,5,i,j) = - f1*vz - f2*visc(5)
!
!           b: the neighbour in front, moving with vy.
!
            vx = u(2,i,j-1,k)
            vy = u(3,i,j-1,k)
            vz = u(4,i,j-1,k)
            t  = u(5,i,j-1,k)
            b(1,1,i,j) = - f2*visc(1)
            b(2,1,i,j) = 0.0d0
            b(3,1,i,j) = - f1
            b(4,1,i,j) = 0.0d0
            b(5,1,i,j) = 0.0d0
            b(1,2,i,j) = 0.0d0
            b(2,2,i,j) = - f1*vy - f2*visc(2)
            b(3,2,i,j) = 0.0d0
            b(4,2,i,j) = 0.0d0
            b(5,2,i,j) = 0.0d0
            b(1,3,i,j) = - f1*csq
            b(2,3,i,j) = - f1*vx
            b(3,3,i,j) = - f1*2.0d0*vy - f2*visc(3)
            b(4,3,i,j) = - f1*vz
            b(5,3,i,j) = - f1*t
            b(1,4,i,j) = 0.0d0
            b(2,4,i,j) = 0.0d0
            b(3,4,i,j) = 0.0d0
            b(4,4,i,j) = - f1*vy - f2*visc(4)
            b(5,4,i,j) = 0.0d0
            b(1,5,i,j) = 0.0d0
            b(2,5,i,j) = 0.0d0
            b(3,5,i,j) = 0.0d0
            b(4,5,i,j) = 0.0d0
            b(5,5,i,j) = - f1*vy - f2*visc(5)
!
!           c: the neighbour to the left, moving with vx.
!
            vx = u(2,i-1,j,k)
            vy = u(3,i-1,j,k)
            vz = u(4,i-1,j,k)
            t  = u(5,i-1,j,k)
            c(1,1,i,j) = - f2*visc(1)
            c(2,1,i,j) = - f1
            c(3,1,i,j) = 0.0d0
            c(4,1,i,j) = 0.0d0
            c(5,1,i,j) = 0.0d0
            c(1,2,i,j) = - f1*csq
            c(2,2,i,j) = - f1*2.0d0*vx - f2*visc(2)
            c(3,2,i,j) = - f1*vy
            c(4,2,i,j) = - f1*vz
            c(5,2,i,j) = - f1*t
            c(1,3,i,j) = 0.0d0
            c(2,3,i,j) = 0.0d0
            c(3,3,i,j) = - f1*vx - f2*visc(3)
            c(4,3,i,j) = 0.0d0
            c(5,3,i,j) = 0.0d0
            c(1,4,i,j) = 0.0d0
            c(2,4,i,j) = 0.0d0
            c(3,4,i,j) = 0.0d0
            c(4,4,i,j) = - f1*vx - f2*visc(4)
            c(5,4,i,j) = 0.0d0
            c(1,5,i,j) = 0.0d0
            c(2,5,i,j) = 0.0d0
            c(3,5,i,j) = 0.0d0
            c(4,5,i,j) = 0.0d0
            c(5,5,i,j) = - f1*vx - f2*visc(5)
         end do
      end do
!$omp end do nowait
!
      return
      end
