! norm.f: root mean squares over the interior of the grid.
!
!
      subroutine l2norm( v, sums )
!
! sums(m) = sqrt( mean of v(m,i,j,k)**2 ).  Every plane is summed by one
! thread and the planes are added in order, so the result does not
! depend on the number of threads.
!
      implicit none
      include 'lu.inc'
      double precision v(5,mx,my,mz), sums(5), plane(5,mz)
      integer i, j, k, m
!
!$omp parallel do schedule(static) private(i,j,k,m)
      do k = 2, nz - 1
         do m = 1, 5
            plane(m,k) = 0.0d0
         end do
         do j = 2, ny - 1
            do i = 2, nx - 1
               do m = 1, 5
                  plane(m,k) = plane(m,k) + v(m,i,j,k)**2
               end do
            end do
         end do
      end do
!
      call rms( plane, sums )
!
      return
      end
!
!
      subroutine error( sums )
!
! The same for the difference between u and the exact solution.
!
      implicit none
      include 'lu.inc'
      double precision sums(5), plane(5,mz)
      double precision ue(5), gx(5), gy(5), gz(5), ul(5)
      integer i, j, k, m
!
!$omp parallel do schedule(static) private(i,j,k,m,ue,gx,gy,gz,ul)
      do k = 2, nz - 1
         do m = 1, 5
            plane(m,k) = 0.0d0
         end do
         do j = 2, ny - 1
            do i = 2, nx - 1
               call exact( i, j, k, ue, gx, gy, gz, ul )
               do m = 1, 5
                  plane(m,k) = plane(m,k) + ( u(m,i,j,k) - ue(m) )**2
               end do
            end do
         end do
      end do
!
      call rms( plane, sums )
!
      return
      end
!
!
      subroutine rms( plane, sums )
!
! Root mean square from the sums of squares of the planes.
!
      implicit none
      include 'lu.inc'
      double precision plane(5,mz), sums(5)
      integer k, m
!
      do m = 1, 5
         sums(m) = 0.0d0
         do k = 2, nz - 1
            sums(m) = sums(m) + plane(m,k)
         end do
         sums(m) = sqrt( sums(m)
     &             / ( dble( nx - 2 )*( ny - 2 )*( nz - 2 ) ) )
      end do
!
      return
      end
