! ssor.f: marches the equations in pseudo time until they are steady, by
! symmetric successive over-relaxation (SSOR).
!
      subroutine ssor( nstep, res0, res1, time )
!
! One implicit step of length dt, linearised about the present u, is
!
!     ( I + dt*N'(u) ) du = dt * rsd(u)
!
! where rsd is the residual of the steady equations and N' the matrix of
! its derivatives.  Numbering the points by i, then j, then k splits
! this matrix into its strictly lower, diagonal and strictly upper part,
!
!     I + dt*N' = L + D + U,
!
! each made of 5 x 5 blocks.  The system need not be solved exactly,
! since only the steady state matters.  SSOR replaces the matrix by
!
!            1
!     ---------------  ( D + omega*L )  D**-1  ( D + omega*U )
!     omega*(2-omega)
!
! which equals it up to a term in L D**-1 U if omega is 1, and can be
! solved by two sweeps over the grid, each a substitution:
!
!     ( D + omega*L ) y = dt * rsd        upwards   (jacld, blts)
!     ( D + omega*U ) w = D y             downwards (jacu, buts)
!
!     u = u + omega*(2-omega) * w
!
! y and w overwrite rsd.  Only the blocks of one plane k are kept, so
! jacld and jacu compute them anew plane by plane.
!
! A point depends on its neighbours at i-1, j-1 and k-1 on the way up,
! and at i+1, j+1 and k+1 on the way down.  The threads share the rows j
! of a plane and work at the same time, each one plane behind the one
! before it.  With three threads, on the way up:
!
!     time         1   2   3   4   5 ...
!
!     thread 0   k=2   3   4   5   6       the lowest rows j
!     thread 1         2   3   4   5
!     thread 2             2   3   4       the highest rows j
!
! On the way down thread 0 has the highest rows and starts at the top.
! Every point is computed from the same numbers in the same order as by
! one thread: the solution does not depend on how many there are.
!
! What moves through the memory: at 64 points along each axis u and rsd
! have 11 Mbyte each and the blocks of a plane 3.4 Mbyte.  Each sweep
! reads u, and reads and writes rsd, once from end to end; the blocks
! of a point are written by jacld or jacu and read back by blts or buts,
! 800 byte for every point, after the whole plane has been computed.
!
!   nstep   number of steps (in)
!   res0    norms of the residual before the first step (out)
!   res1    norms of the residual after the last step (out)
!   time    seconds spent in the steps (out)
!
      implicit none
      integer nstep
      double precision res0(5), res1(5), time
      include 'lu.inc'
      integer i, j, k, l, m, istep
      double precision tmp
      integer(8) tick0, tick1, rate
!
! The blocks of a plane: let each thread touch its rows first.
!
!$omp parallel default(shared) private(i,j,l,m)
!$omp do schedule(static)
      do j = 1, ny
         do i = 1, nx
            do m = 1, 5
               do l = 1, 5
                  a(l,m,i,j) = 0.0d0
                  b(l,m,i,j) = 0.0d0
                  c(l,m,i,j) = 0.0d0
                  d(l,m,i,j) = 0.0d0
               end do
               tv(m,i,j) = 0.0d0
            end do
         end do
      end do
!$omp end do
!$omp end parallel
!
! The residual of the initial values.
!
      call rhs
      call l2norm( rsd, res0 )
!
! The time steps.  Each consists of
!
!     - one parallel region with the two sweeps and the new solution,
!     - the residual of the new solution, in a region of its own.
!
! The loop over the steps is serial and every step does the same work:
! it is the phase in which a performance analysis repeats its
! experiments.  Norms are not taken on the way; a step that makes the
! solution grow beyond all bounds is found out by the verification.
!
! tmp is the factor of w above: at most one, so that the two triangular
! matrices together stand for the matrix that they replace.
!
      tmp = omega*( 2.0d0 - omega )
      call system_clock( tick0, rate )
!
      do istep = 1, nstep
!
!        All of the step that needs the wavefront is one parallel
!        region, so that the threads start and join only once, and each
!        keeps its rows j for a whole sweep.  The counters i, j, k, m
!        belong to the threads; everything else is shared, also istep.
!        First each thread resets its count of completed planes.
!
!        The subroutines called from here deal out their work, too, by
!        directives that bind to this region.
!
!$omp parallel default(shared) private(i,j,k,m)
         call sync_start
!
!        The right-hand side of the upward sweep, at the interior
!        points.
!
!$omp do schedule(static)
         do k = 2, nz - 1
            do j = 2, ny - 1
               do i = 2, nx - 1
                  do m = 1, 5
                     rsd(m,i,j,k) = dt*rsd(m,i,j,k)
                  end do
               end do
            end do
         end do
!$omp end do
!
!        Upwards, plane by plane.  Every thread runs through all planes
!        and on each works on its own rows.  There is no barrier in this
!        loop: within blts a thread waits for the one before it, and for
!        nothing else.  A thread may be several planes ahead of the next
!        one, which evens out small delays.
!
!        On the boundary rsd is zero: the values there are prescribed,
!        and need no correction.  Therefore the sweeps may treat the
!        outermost interior points like all others, without a test.
!        blts and buts depend on that.
!
         do k = 2, nz - 1
!
!           The blocks of the lower part and of the diagonal, for this
!           thread's rows of the plane.  They stay in a, b, c and d
!           until the same thread comes to the next plane: in its
!           caches, if these are large enough.
!
            call jacld( k )
!
!           Solve on this plane.  The planes below are solved; the rest
!           of rsd still holds the right-hand side.
!
!           blts knows nothing of the equations: it gets the right-hand
!           side and the blocks as arguments, and the extents of both
!           in memory (mx, my, mz) and on the grid (nx, ny).
!
            call blts( mx, my, mz,
     &                 nx, ny, k,
     &                 omega,
     &                 rsd,
     &                 a, b, c,
     &                 d )
         end do
!
!        The rows change hands between the sweeps, since each thread
!        begins at the other end: all must be solved before any thread
!        goes on.
!
!$omp barrier
!
!        Downwards, from the last plane to the first.  The order of all
!        three loops over the grid is reversed, and with it which thread
!        has which rows.  Within buts a thread again waits for the one
!        before it.
!
         do k = nz - 1, 2, -1
!
!           The blocks of the upper part, and those of the diagonal
!           again.
!
            call jacu( k )
!
!           Solve on this plane, as above, except that the result of
!           the upward sweep is corrected in place: the known terms of
!           the plane above are not taken off it but put into tv, one
!           vector for each point of the plane.
!
!           The correction that results is final as soon as this plane
!           is done; the planes below only read it, and only the next
!           of them does.
!
            call buts( mx, my, mz,
     &                 nx, ny, k,
     &                 omega,
     &                 rsd, tv,
     &                 d,
     &                 a, b, c )
         end do
!
!        Again the work is dealt out in a new way, now by planes, and
!        the thread that has a plane needs all rows of it: every thread
!        must have reached the end of its sweep.
!
!$omp barrier
!
!        The new solution: rsd now holds the correction w of the whole
!        interior.  Nothing but u and rsd is touched, once each, in the
!        order of memory: u is read and written, rsd only read.  There
!        are two operations for these three transfers, so the loop is as
!        fast as the memory, and no faster with more threads than it
!        takes to keep the memory busy.
!
!$omp do schedule(static)
         do k = 2, nz - 1
            do j = 2, ny - 1
               do i = 2, nx - 1
                  do m = 1, 5
                     u(m,i,j,k) = u(m,i,j,k) + tmp*rsd(m,i,j,k)
                  end do
               end do
            end do
         end do
!$omp end do
!$omp end parallel
!
!        The residual of the new solution: the next right-hand side.
!
         call rhs
      end do
!
      call system_clock( tick1 )
      time = dble( tick1 - tick0 )/rate
      call l2norm( rsd, res1 )
!
      return
      end
