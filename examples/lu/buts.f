! buts.f: block upper triangular solve on one plane: v is replaced by
! the solution w of  ( D + omega*U ) w = D v.
!
      subroutine buts( ldmx, ldmy, ldmz, nx, ny, k,
     &                 omega, v, tv, d, udx, udy, udz )
!
! U couples a point to its three following neighbours.  Going through
! the points backwards, with the values w of the neighbours already in
! place, and after multiplication by the inverse of D:
!
!     w(i,j,k) = v(i,j,k) - D**-1 omega * ( udz * w(i,j,k+1)
!                                         + udy * w(i,j+1,k)
!                                         + udx * w(i+1,j,k) )
!
! D, and each of udz, udy, udx, is a 5 x 5 matrix that differs from
! point to point; only those of plane k are in memory.  On the boundary
! v is zero.  Each thread has a block of rows j, the same in both loops
! below and in jacu; the first thread has the last rows.
!
!   ldmx, ldmy, ldmz   extents of the arrays in memory
!   nx, ny             extents of the grid
!   k                  the plane; all planes above it must be solved
!   omega              relaxation factor
!   v                  right-hand side, then solution
!   tv                 work array: the term of the plane above, k+1
!   d                  diagonal blocks
!   udx, udy, udz      blocks of U that belong to i+1, j+1, k+1
!
! Called by all threads of a parallel region.
!
      implicit none
      integer ldmx, ldmy, ldmz, nx, ny, k
      double precision omega
      double precision v(5,ldmx,ldmy,ldmz)
      double precision tv(5,ldmx,ldmy)
      double precision d(5,5,ldmx,ldmy)
      double precision udx(5,5,ldmx,ldmy)
      double precision udy(5,5,ldmx,ldmy)
      double precision udz(5,5,ldmx,ldmy)
!
! Locals: as in blts.f; here r1 to r5 hold what is subtracted from v.
!
      integer i, j, l
      double precision z1, z2, z3, z4, z5
      double precision y1, y2, y3, y4, y5
      double precision x1, x2, x3, x4, x5
      double precision r1, r2, r3, r4, r5
!
! The plane above, k+1: the same thread has solved the same rows of it
! before.  Its term is put into tv, since v still has to keep the result
! of the upward sweep: D v, which would be the right-hand side here, is
! never formed.  As in blts.f, neither loop ends with a barrier.
!
!$omp do schedule(static)
      do j = ny - 1, 2, -1
         do i = nx - 1, 2, -1
            z1 = v(1,i,j,k+1)
            z2 = v(2,i,j,k+1)
            z3 = v(3,i,j,k+1)
            z4 = v(4,i,j,k+1)
            z5 = v(5,i,j,k+1)
            do l = 1, 5
               tv(l,i,j) = omega
     &            *( udz(l,1,i,j)*z1 + udz(l,2,i,j)*z2
     &             + udz(l,3,i,j)*z3 + udz(l,4,i,j)*z4
     &             + udz(l,5,i,j)*z5 )
            end do
         end do
      end do
!$omp end do nowait
!
! This plane, see blts.f; the last row comes first, thread 0 has it.
!
      call sync_wait
!$omp do schedule(static)
      do j = ny - 1, 2, -1
         do i = nx - 1, 2, -1
            y1 = v(1,i,j+1,k)
            y2 = v(2,i,j+1,k)
            y3 = v(3,i,j+1,k)
            y4 = v(4,i,j+1,k)
            y5 = v(5,i,j+1,k)
            x1 = v(1,i+1,j,k)
            x2 = v(2,i+1,j,k)
            x3 = v(3,i+1,j,k)
            x4 = v(4,i+1,j,k)
            x5 = v(5,i+1,j,k)
!
            r1 = tv(1,i,j) + omega
     &         *( udy(1,1,i,j)*y1 + udx(1,1,i,j)*x1
     &          + udy(1,2,i,j)*y2 + udx(1,2,i,j)*x2
     &          + udy(1,3,i,j)*y3 + udx(1,3,i,j)*x3
     &          + udy(1,4,i,j)*y4 + udx(1,4,i,j)*x4
     &          + udy(1,5,i,j)*y5 + udx(1,5,i,j)*x5 )
            r2 = tv(2,i,j) + omega
     &         *( udy(2,1,i,j)*y1 + udx(2,1,i,j)*x1
     &          + udy(2,2,i,j)*y2 + udx(2,2,i,j)*x2
     &          + udy(2,3,i,j)*y3 + udx(2,3,i,j)*x3
     &          + udy(2,4,i,j)*y4 + udx(2,4,i,j)*x4
     &          + udy(2,5,i,j)*y5 + udx(2,5,i,j)*x5 )
            r3 = tv(3,i,j) + omega
     &         *( udy(3,1,i,j)*y1 + udx(3,1,i,j)*x1
     &          + udy(3,2,i,j)*y2 + udx(3,2,i,j)*x2
     &          + udy(3,3,i,j)*y3 + udx(3,3,i,j)*x3
     &          + udy(3,4,i,j)*y4 + udx(3,4,i,j)*x4
     &          + udy(3,5,i,j)*y5 + udx(3,5,i,j)*x5 )
            r4 = tv(4,i,j) + omega
     &         *( udy(4,1,i,j)*y1 + udx(4,1,i,j)*x1
     &          + udy(4,2,i,j)*y2 + udx(4,2,i,j)*x2
     &          + udy(4,3,i,j)*y3 + udx(4,3,i,j)*x3
     &          + udy(4,4,i,j)*y4 + udx(4,4,i,j)*x4
     &          + udy(4,5,i,j)*y5 + udx(4,5,i,j)*x5 )
            r5 = tv(5,i,j) + omega
     &         *( udy(5,1,i,j)*y1 + udx(5,1,i,j)*x1
     &          + udy(5,2,i,j)*y2 + udx(5,2,i,j)*x2
     &          + udy(5,3,i,j)*y3 + udx(5,3,i,j)*x3
     &          + udy(5,4,i,j)*y4 + udx(5,4,i,j)*x4
     &          + udy(5,5,i,j)*y5 + udx(5,5,i,j)*x5 )
!
            include 'solve5.inc'
!
            v(1,i,j,k) = v(1,i,j,k) - r1
            v(2,i,j,k) = v(2,i,j,k) - r2
            v(3,i,j,k) = v(3,i,j,k) - r3
            v(4,i,j,k) = v(4,i,j,k) - r4
            v(5,i,j,k) = v(5,i,j,k) - r5
         end do
      end do
!$omp end do nowait
!
      call sync_post
!
      return
      end
