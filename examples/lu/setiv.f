! setiv.f: initial values.
!
!
      subroutine setiv
!
! The solution is prescribed on the boundary, where it stays.  Inside
! we start from the mean of the three straight lines that join opposite
! boundary points, one along each axis: continuous data, but far from a
! solution.  The residual is cleared, also on the boundary, where the
! sweeps read it as "no correction".
!
! The rows j are dealt out as in the sweeps, so that on a machine with
! distributed memory banks each thread first touches what it will use.
!
      implicit none
      include 'lu.inc'
      integer i, j, k, m
      double precision x, y, z
      double precision e(5), w(5), s(5), n(5), bot(5), top(5)
!
!$omp parallel do schedule(static)
!$omp& private(i,j,k,m,x,y,z,e,w,s,n,bot,top)
      do j = 1, ny
         y = ( j - 1 )*h
         do k = 1, nz
            z = ( k - 1 )*h
            do i = 1, nx
               x = ( i - 1 )*h
               if ( i.eq.1 .or. i.eq.nx .or. j.eq.1 .or. j.eq.ny
     &                     .or. k.eq.1 .or. k.eq.nz ) then
                  call bound( i, j, k, u(1,i,j,k) )
               else
                  call bound( 1,  j,  k,  w )
                  call bound( nx, j,  k,  e )
                  call bound( i,  1,  k,  s )
                  call bound( i,  ny, k,  n )
                  call bound( i,  j,  1,  bot )
                  call bound( i,  j,  nz, top )
                  do m = 1, 5
                     u(m,i,j,k) = ( w(m) + x*( e(m) - w(m) )
     &                            + s(m) + y*( n(m) - s(m) )
     &                      + bot(m) + z*( top(m) - bot(m) ) ) / 3.0d0
                  end do
               end if
               do m = 1, 5
                  rsd(m,i,j,k)  = 0.0d0
                  frct(m,i,j,k) = 0.0d0
               end do
            end do
         end do
      end do
!
      return
      end
!
!
      subroutine bound( i, j, k, ub )
!
! The prescribed value at (i,j,k).
!
      implicit none
      integer i, j, k
      double precision ub(5), gx(5), gy(5), gz(5), ul(5)
!
      call exact( i, j, k, ub, gx, gy, gz, ul )
!
      return
      end
