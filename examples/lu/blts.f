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
      integer ldmx, ldmy, ldmz
      integer nx, ny, k
      double precision omega
      double precision v(5,ldmx,ldmy,ldmz)
      double precision ldz(5,5,ldmx,ldmy)
      double precision ldy(5,5,ldmx,ldmy)
      double precision ldx(5,5,ldmx,ldmy)
      double precision d(5,5,ldmx,ldmy)
!
! Locals: the right-hand side and a copy of the diagonal block of the
! point that is being solved, and the pivots and multipliers of Gaussian
! elimination.
!
      integer i, j, l, m, n
      double precision tv(5), tmat(5,5), piv, fac
!
! The plane below, k-1: the same thread has solved the same rows of it
! before, so nobody has to wait for anybody.  This loop could be merged
! with the next; by itself it gives the thread before this one time to
! finish its rows of plane k, and reads v along k only.  Its result, a
! right-hand side with the known terms of the plane below taken off, is
! stored in v.  Neither loop ends with a barrier: what a thread stores
! is its own until sync_post.
!
!$omp do schedule(static)
      do j = 2, ny - 1
         do i = 2, nx - 1
            do m = 1, 5
               do l = 1, 5
                  v(l,i,j,k) = v(l,i,j,k)
     &                       - omega*ldz(l,m,i,j)*v(m,i,j,k-1)
               end do
            end do
         end do
      end do
!$omp end do nowait
!
! This plane: the first row of a thread needs the last row of the thread
! before it.  That is the wavefront: thread t is at plane k when thread
! t-1 is at plane k+1.  Thread 0 needs only the boundary row, and never
! waits.
!
      call sync_wait
!
!$omp do schedule(static)
      do j = 2, ny - 1
         do i = 2, nx - 1
            do l = 1, 5
               tv(l) = v(l,i,j,k)
            end do
            do m = 1, 5
               do l = 1, 5
                  tv(l) = tv(l)
     &                  - omega*( ldy(l,m,i,j)*v(m,i,j-1,k)
     &                          + ldx(l,m,i,j)*v(m,i-1,j,k) )
                  tmat(l,m) = d(l,m,i,j)
               end do
            end do
!
!           Solve tmat * y = tv by elimination.  The diagonal dominates
!           (unit matrix plus diffusion), so rows need no exchange.
!
            do n = 1, 4
               piv = 1.0d0/tmat(n,n)
               do l = n + 1, 5
                  fac = piv*tmat(l,n)
                  do m = n + 1, 5
                     tmat(l,m) = tmat(l,m) - fac*tmat(n,m)
                  end do
                  tv(l) = tv(l) - fac*tv(n)
               end do
            end do
            do n = 5, 1, -1
               do m = n + 1, 5
                  tv(n) = tv(n) - tmat(n,m)*tv(m)
               end do
               tv(n) = tv(n)/tmat(n,n)
            end do
!
            do l = 1, 5
               v(l,i,j,k) = tv(l)
            end do
         end do
      end do
!$omp end do nowait
!
      call sync_post
!
      return
      end
