! blts.f: block lower triangular solve on one plane: v is replaced by
! the solution y of  ( D + omega*L ) y = v.
!
      subroutine blts( ldmx, ldmy, ldmz, nx, ny, k,
     &                 omega, v, ldz, ldy, ldx, d )
!
! L couples a point to its three preceding neighbours, so the points can
! be computed one after the other, with the values y of the neighbours
! already in place:
!
!     y(i,j,k) = D**-1 ( v(i,j,k) - omega * ( ldz * y(i,j,k-1)
!                                           + ldy * y(i,j-1,k)
!                                           + ldx * y(i-1,j,k) ) )
!
! D, and each of ldz, ldy, ldx, is a 5 x 5 matrix that differs from
! point to point; only those of plane k are in memory.  On the boundary
! v is zero.  Each thread has a block of rows j, the same in both loops
! below and in jacld, which computed the blocks.
!
!   ldmx, ldmy, ldmz   extents of the arrays in memory
!   nx, ny             extents of the grid
!   k                  the plane; all planes below it must be solved
!   omega              relaxation factor
!   v                  right-hand side, then solution
!   ldz, ldy, ldx      blocks of L that belong to k-1, j-1, i-1
!   d                  diagonal blocks
!
! Called by all threads of a parallel region.
!
      implicit none
      integer ldmx, ldmy, ldmz, nx, ny, k
      double precision omega
      double precision v(5,ldmx,ldmy,ldmz)
      double precision ldz(5,5,ldmx,ldmy)
      double precision ldy(5,5,ldmx,ldmy)
      double precision ldx(5,5,ldmx,ldmy)
      double precision d(5,5,ldmx,ldmy)
!
! Locals, in scalars to be kept in registers: v at the neighbour in z, y
! and x; the right-hand side of the point, then its solution.
!
      integer i, j, l
      double precision z1, z2, z3, z4, z5
      double precision y1, y2, y3, y4, y5
      double precision x1, x2, x3, x4, x5
      double precision r1, r2, r3, r4, r5
!
! The plane below, k-1: the same thread has solved the same rows of it
! before, so nobody has to wait for anybody.  This loop could be merged
! with the next; by itself it gives the thread before this one time to
! finish its rows of plane k.  What it stores in v is the right-hand
! side with the known terms of the plane below taken off.  Neither loop
! ends with a barrier: what a thread stores is its own until sync_post.
!
!$omp do schedule(static)
      do j = 2, ny - 1
         do i = 2, nx - 1
            z1 = v(1,i,j,k-1)
            z2 = v(2,i,j,k-1)
            z3 = v(3,i,j,k-1)
            z4 = v(4,i,j,k-1)
            z5 = v(5,i,j,k-1)
            do l = 1, 5
               v(l,i,j,k) = v(l,i,j,k) - omega
     &            *( ldz(l,1,i,j)*z1 + ldz(l,2,i,j)*z2
     &             + ldz(l,3,i,j)*z3 + ldz(l,4,i,j)*z4
     &             + ldz(l,5,i,j)*z5 )
            end do
         end do
      end do
!$omp end do nowait
!
      call sync_wait
!
!$omp do schedule(static)
!
! This plane: the first row of a thread needs the last row of the thread
! before it.  That is the wavefront: thread t is at plane k when thread
! t-1 is at plane k+1.  Thread 0 needs only the boundary row, and never
! waits.
!
      do j = 2, ny - 1
         do i = 2, nx - 1
            y1 = v(1,i,j-1,k)
            y2 = v(2,i,j-1,k)
            y3 = v(3,i,j-1,k)
            y4 = v(4,i,j-1,k)
            y5 = v(5,i,j-1,k)
            x1 = v(1,i-1,j,k)
            x2 = v(2,i-1,j,k)
            x3 = v(3,i-1,j,k)
            x4 = v(4,i-1,j,k)
            x5 = v(5,i-1,j,k)
!
            r1 = v(1,i,j,k) - omega
     &         *( ldy(1,1,i,j)*y1 + ldx(1,1,i,j)*x1
     &          + ldy(1,2,i,j)*y2 + ldx(1,2,i,j)*x2
     &          + ldy(1,3,i,j)*y3 + ldx(1,3,i,j)*x3
     &          + ldy(1,4,i,j)*y4 + ldx(1,4,i,j)*x4
     &          + ldy(1,5,i,j)*y5 + ldx(1,5,i,j)*x5 )
            r2 = v(2,i,j,k) - omega
     &         *( ldy(2,1,i,j)*y1 + ldx(2,1,i,j)*x1
     &          + ldy(2,2,i,j)*y2 + ldx(2,2,i,j)*x2
     &          + ldy(2,3,i,j)*y3 + ldx(2,3,i,j)*x3
     &          + ldy(2,4,i,j)*y4 + ldx(2,4,i,j)*x4
     &          + ldy(2,5,i,j)*y5 + ldx(2,5,i,j)*x5 )
            r3 = v(3,i,j,k) - omega
     &         *( ldy(3,1,i,j)*y1 + ldx(3,1,i,j)*x1
     &          + ldy(3,2,i,j)*y2 + ldx(3,2,i,j)*x2
     &          + ldy(3,3,i,j)*y3 + ldx(3,3,i,j)*x3
     &          + ldy(3,4,i,j)*y4 + ldx(3,4,i,j)*x4
     &          + ldy(3,5,i,j)*y5 + ldx(3,5,i,j)*x5 )
            r4 = v(4,i,j,k) - omega
     &         *( ldy(4,1,i,j)*y1 + ldx(4,1,i,j)*x1
     &          + ldy(4,2,i,j)*y2 + ldx(4,2,i,j)*x2
     &          + ldy(4,3,i,j)*y3 + ldx(4,3,i,j)*x3
     &          + ldy(4,4,i,j)*y4 + ldx(4,4,i,j)*x4
     &          + ldy(4,5,i,j)*y5 + ldx(4,5,i,j)*x5 )
            r5 = v(5,i,j,k) - omega
     &         *( ldy(5,1,i,j)*y1 + ldx(5,1,i,j)*x1
     &          + ldy(5,2,i,j)*y2 + ldx(5,2,i,j)*x2
     &          + ldy(5,3,i,j)*y3 + ldx(5,3,i,j)*x3
     &          + ldy(5,4,i,j)*y4 + ldx(5,4,i,j)*x4
     &          + ldy(5,5,i,j)*y5 + ldx(5,5,i,j)*x5 )
!
            include 'solve5.inc'
!
            v(1,i,j,k) = r1
            v(2,i,j,k) = r2
            v(3,i,j,k) = r3
            v(4,i,j,k) = r4
            v(5,i,j,k) = r5
         end do
      end do
!$omp end do nowait
!
      call sync_post
!
      return
      end
