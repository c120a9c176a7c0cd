! exact.f: the manufactured solution, and the forcing term for which it
! solves the differential equations.
!
      subroutine exact( i, j, k, ue, gx, gy, gz, ul )
!
! Each unknown is a constant plus one plane wave,
!
!     u(m) = mean(m) + ampl(m) * sin( w . (x,y,z) + shift(m) )
!
! with a wave vector w of its own.  Returns the value ue, the gradient
! (gx, gy, gz) and the Laplacian ul of each at grid point (i,j,k).
!
      implicit none
      integer i, j, k, m
      double precision ue(5), gx(5), gy(5), gz(5), ul(5)
      double precision arg, dw
      include 'lu.inc'
      double precision mean(5), ampl(5), shift(5), w(3,5)
      data mean  / 0.60d0,  0.70d0,  0.50d0,  0.40d0,  1.20d0 /
      data ampl  / 0.15d0,  0.20d0,  0.15d0,  0.20d0,  0.25d0 /
      data shift / 0.30d0,  1.10d0, -0.60d0,  0.00d0,  0.80d0 /
      data w     / 2.0d0,  1.5d0, -1.0d0,
     &             1.0d0, -2.0d0,  1.5d0,
     &             2.5d0,  1.0d0,  0.5d0,
     &            -1.5d0,  1.0d0,  2.0d0,
     &             1.0d0,  1.5d0,  2.0d0 /
!
      do m = 1, 5
         arg = ( w(1,m)*( i - 1 ) + w(2,m)*( j - 1 )
     &                            + w(3,m)*( k - 1 ) ) * h + shift(m)
         ue(m) = mean(m) + ampl(m)*sin( arg )
         dw = ampl(m)*cos( arg )
         gx(m) = w(1,m)*dw
         gy(m) = w(2,m)*dw
         gz(m) = w(3,m)*dw
         ul(m) = - ( w(1,m)**2 + w(2,m)**2 + w(3,m)**2 )
     &             * ampl(m)*sin( arg )
      end do
!
      return
      end
!
!
      subroutine force
!
! frct = divergence of the fluxes - diffusion - sources, all evaluated
! analytically at the exact solution.  Nothing here is discretised: the
! discrete solution therefore differs from the exact one by the
! truncation error O(h**2), which verify.f checks.
!
      implicit none
      include 'lu.inc'
      integer i, j, k, m
      double precision ue(5), gx(5), gy(5), gz(5), ul(5)
      double precision div, vv
!
!$omp parallel do schedule(static)
!$omp& private(i,j,k,m,ue,gx,gy,gz,ul,div,vv)
      do j = 2, ny - 1
         do k = 2, nz - 1
            do i = 2, nx - 1
               call exact( i, j, k, ue, gx, gy, gz, ul )
               div = gx(2) + gy(3) + gz(4)
               vv  = ue(2)**2 + ue(3)**2 + ue(4)**2
!
!              div( v * u(m) ) = v . grad u(m) + u(m) * div v
!
               do m = 2, 5
                  frct(m,i,j,k) = ue(2)*gx(m) + ue(3)*gy(m)
     &                          + ue(4)*gz(m) + ue(m)*div
     &                          - visc(m)*ul(m)
               end do
               frct(1,i,j,k) = csq*div - visc(1)*ul(1)
     &                       + leak*ue(1) - expn*ue(5)
               frct(2,i,j,k) = frct(2,i,j,k) + gx(1) + drag*vv*ue(2)
               frct(3,i,j,k) = frct(3,i,j,k) + gy(1) + drag*vv*ue(3)
               frct(4,i,j,k) = frct(4,i,j,k) + gz(1) + drag*vv*ue(4)
     &                       - buoy*ue(5)
               frct(5,i,j,k) = frct(5,i,j,k) + cool*ue(5)**2 - heat*vv
            end do
         end do
      end do
!
      return
      end
