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
!   tv                 work array: the sum in parentheses
!   d                  diagonal blocks
!   udx, udy, udz      blocks of U that belong to i+1, j+1, k+1
!
! Called by all threads of a parallel region.
!
      implicit none
      integer ldmx, ldmy, ldmz
      integer nx, ny, k
      double precision omega
      double precision v(5,ldmx,ldmy,ldmz)
      double precision tv(5,ldmx,ldmy)
      double precision d(5,5,ldmx,ldmy)
      double precision udx(5,5,ldmx,ldmy)
      double precision udy(5,5,ldmx,ldmy)
      double precision udz(5,5,ldmx,ldmy)
!
! Locals: a copy of the diagonal block of the point that is being
! solved, and the pivots and multipliers of Gaussian elimination.
!
      integer i, j, l, m, n
      double precision tmat(5,5), piv, fac
!
! The plane above, k+1: the same thread has solved the same rows of it
! before.  The product of U and w is collected in tv, since v still has
! to keep the result of the upward sweep: D v, which would be the right-
! hand side here, is never formed.  As in blts.f, neither loop ends with
! a barrier.
!
!$omp do schedule(static)
      do j = ny - 1, 2, -1
         do i = nx - 1, 2, -1
            do l = 1, 5
               tv(l,i,j) = 0.0d0
            end do
            do m = 1, 5
               do l = 1, 5
                  tv(l,i,j) = tv(l,i,j)
     &                      + omega*udz(l,m,i,j)*v(m,i,j,k+1)
               end do
            end do
         end do
      end do
!$omp end do nowait
!
! This plane, see blts.f; here the last row comes first, and thread 0
! has it.
!
      call sync_wait
!
!$omp do schedule(static)
      do j = ny - 1, 2, -1
         do i = nx - 1, 2, -1
            do m = 1, 5
               do l = 1, 5
                  tv(l,i,j) = tv(l,i,j)
     &                      + omega*( udy(l,m,i,j)*v(m,i,j+1,k)
     &                              + udx(l,m,i,j)*v(m,i+1,j,k) )
                  tmat(l,m) = d(l,m,i,j)
               end do
            end do
!
!           Solve tmat * x = tv by elimination, as in blts.f.
!
            do n = 1, 4
               piv = 1.0d0/tmat(n,n)
               do l = n + 1, 5
                  fac = piv*tmat(l,n)
                  do m = n + 1, 5
                     tmat(l,m) = tmat(l,m) - fac*tmat(n,m)
                  end do
                  tv(l,i,j) = tv(l,i,j) - fac*tv(n,i,j)
               end do
            end do
            do n = 5, 1, -1
               do m = n + 1, 5
                  tv(n,i,j) = tv(n,i,j) - tmat(n,m)*tv(m,i,j)
               end do
               tv(n,i,j) = tv(n,i,j)/tmat(n,n)
            end do
!
            do l = 1, 5
               v(l,i,j,k) = v(l,i,j,k) - tv(l,i,j)
            end do
         end do
      end do
!$omp end do nowait
!
      call sync_post
!
      return
      end
