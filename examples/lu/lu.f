! lu.f: main program.  Solves the steady equations of rhs.f by SSOR, and
! checks the solution against the exact one.
!
!     lu [ n [ steps ] ]
!
! n is the number of grid points along each axis, 8 to 64 (default 33),
! steps the number of pseudo time steps.  Exit status: 0 if the solution
! is right, 1 if it is not, 2 if the arguments make no sense.
!
! Everything printed but the last line, which has the time, is the same
! for any number of threads.
!
      program lu
!
      implicit none
      include 'lu.inc'
      include 'sync.inc'
      integer n, nstep, narg, m, nthr
      double precision res0(5), res1(5), err(5), time
      logical right
!$    integer omp_get_max_threads
!$    external omp_get_max_threads
      character(11) name(5)
      data name / 'pressure', 'x velocity', 'y velocity',
     &            'z velocity', 'temperature' /
!
      n     = 33
      narg  = command_argument_count()
      if ( narg .gt. 2 ) call usage
      if ( narg .ge. 1 ) call number( 1, 8, isiz1, n )
!
! Enough steps for the finest grid.  A coarser one would be solved with
! fewer, but takes little time anyway.
!
      nstep = 120
      if ( narg .ge. 2 ) call number( 2, 1, 100000, nstep )
!
      call setup( n )
!
! The sweeps are parallel over the rows, so more threads than interior
! rows would only wait; and sync.f has room for that many.
!
      nthr = 1
!$    nthr = min( omp_get_max_threads(), ny - 2, maxthr )
!$    call omp_set_num_threads( nthr )
!
      call setiv
      call force
      call ssor( nstep, res0, res1, time )
      call error( err )
!
      write (*,'(a,i0,a,i0,a,i0)') ' Grid: ', nx, ' x ', ny, ' x ', nz
      write (*,'(a,i0)') ' Steps: ', nstep
      write (*,'(/,15x,a)')
     &   'residual before     after      error of the solution'
      do m = 1, 5
         write (*,'(1x,a,3x,1p,2(3x,e11.3),6x,e11.3)')
     &      name(m), res0(m), res1(m), err(m)
      end do
!
      call check( res0, res1, err, right )
      write (*,'(/,a,f8.3,a,i0)') ' Time:', time, ' s, threads: ', nthr
!
      if ( .not. right ) call exit( 1 )
      end
!
!
      subroutine setup( n )
!
! Grid and parameters of the method for n points along each axis of the
! unit cube.
!
      implicit none
      integer n
      include 'lu.inc'
!
      nx = n
      ny = n
      nz = n
      h  = 1.0d0/( n - 1 )
      h1 = 0.5d0/h
      h2 = 1.0d0/h**2
!
! A step may be long, since it is implicit.  Over-relaxation pays on
! fine grids: 2/(1 + const*h) is the best factor for pure diffusion,
! with a const that depends on the region.  The larger const here is
! for the fluxes, which make up more of the matrix the coarser the grid
! is, and are not to be over-relaxed.
!
      dt    = 1.0d0
      omega = max( 1.0d0, 2.0d0/( 1.0d0 + 21.0d0*h ) )
!
      return
      end
!
!
      subroutine number( iarg, low, high, value )
!
! value = command argument number iarg, a number from low to high.
!
      implicit none
      integer iarg, low, high, value, length, ios
      intrinsic verify
      character(16) arg
!
      call get_command_argument( iarg, arg, length )
      if ( length .lt. 1 .or. length .gt. 9 ) call usage
      if ( verify( trim( arg ), '0123456789' ) .ne. 0 ) call usage
      read ( arg, *, iostat=ios ) value
      if ( ios .ne. 0 .or. value .lt. low .or. value .gt. high )
     &   call usage
!
      return
      end
!
!
      subroutine usage
!
! Say what is allowed, and give up.
!
      implicit none
      include 'lu.inc'
!
      write (0,'(a)') 'usage: lu [ n [ steps ] ]'
      write (0,'(a,i0,a)')
     &   '   n      grid points along each axis, 8 to ', isiz1,
     &   ' (default 33)'
      write (0,'(a)') '   steps  pseudo time steps, 1 to 100000'
      call exit( 2 )
!
      end
