! rhs.f: the residual of the steady equations.
!
!
      subroutine rhs
!
! For the unknowns u = (p, vx, vy, vz, t) the equations are
!
!     du/dt + dF/dx + dG/dy + dH/dz = visc * Laplace u + S(u) + frct
!
! with the fluxes and sources
!
!          ( csq*vx    )      ( csq*vy    )      ( csq*vz    )
!          ( vx*vx + p )      ( vy*vx     )      ( vz*vx     )
!     F  = ( vx*vy     )  G = ( vy*vy + p )  H = ( vz*vy     )
!          ( vx*vz     )      ( vy*vz     )      ( vz*vz + p )
!          ( vx*t      )      ( vy*t      )      ( vz*t      )
!
!          ( -leak*p + expn*t             )
!          ( -drag*|v|**2 * vx            )
!     S  = ( -drag*|v|**2 * vy            )
!          ( -drag*|v|**2 * vz + buoy*t   )
!          ( -cool*t**2 + heat*|v|**2     )
!
! that is, a slightly compressible warm fluid in a porous medium.  All
! derivatives are replaced by central differences; rsd = frct + S +
! diffusion - divergence of the fluxes, at the interior points.
!
      implicit none
      include 'lu.inc'
      integer i, j, k, m
      double precision conv, diff, vv
!
!$omp parallel default(shared) private(i,j,k,m,conv,diff,vv)
!$omp do schedule(static)
      do k = 2, nz - 1
         do j = 2, ny - 1
            do i = 2, nx - 1
!
!              The parts that look alike in all equations: a quantity
!              carried along by the flow, and diffusion.
!
               do m = 2, 5
                  conv = u(2,i+1,j,k)*u(m,i+1,j,k)
     &                 - u(2,i-1,j,k)*u(m,i-1,j,k)
     &                 + u(3,i,j+1,k)*u(m,i,j+1,k)
     &                 - u(3,i,j-1,k)*u(m,i,j-1,k)
     &                 + u(4,i,j,k+1)*u(m,i,j,k+1)
     &                 - u(4,i,j,k-1)*u(m,i,j,k-1)
                  diff = u(m,i+1,j,k) + u(m,i-1,j,k)
     &                 + u(m,i,j+1,k) + u(m,i,j-1,k)
     &                 + u(m,i,j,k+1) + u(m,i,j,k-1)
     &                 - 6.0d0*u(m,i,j,k)
                  rsd(m,i,j,k) = frct(m,i,j,k)
     &                         - h1*conv + visc(m)*h2*diff
               end do
!
!              Pressure is not carried but produced by compression.
!
               conv = csq*( u(2,i+1,j,k) - u(2,i-1,j,k)
     &                    + u(3,i,j+1,k) - u(3,i,j-1,k)
     &                    + u(4,i,j,k+1) - u(4,i,j,k-1) )
               diff = u(1,i+1,j,k) + u(1,i-1,j,k)
     &              + u(1,i,j+1,k) + u(1,i,j-1,k)
     &              + u(1,i,j,k+1) + u(1,i,j,k-1)
     &              - 6.0d0*u(1,i,j,k)
               rsd(1,i,j,k) = frct(1,i,j,k)
     &                      - h1*conv + visc(1)*h2*diff
     &                      - leak*u(1,i,j,k) + expn*u(5,i,j,k)
!
!              Pressure gradient and sources.
!
               vv = u(2,i,j,k)**2 + u(3,i,j,k)**2 + u(4,i,j,k)**2
               rsd(2,i,j,k) = rsd(2,i,j,k)
     &                      - h1*( u(1,i+1,j,k) - u(1,i-1,j,k) )
     &                      - drag*vv*u(2,i,j,k)
               rsd(3,i,j,k) = rsd(3,i,j,k)
     &                      - h1*( u(1,i,j+1,k) - u(1,i,j-1,k) )
     &                      - drag*vv*u(3,i,j,k)
               rsd(4,i,j,k) = rsd(4,i,j,k)
     &                      - h1*( u(1,i,j,k+1) - u(1,i,j,k-1) )
     &                      - drag*vv*u(4,i,j,k) + buoy*u(5,i,j,k)
               rsd(5,i,j,k) = rsd(5,i,j,k)
     &                      - cool*u(5,i,j,k)**2 + heat*vv
            end do
         end do
      end do
!$omp end do
!$omp end parallel
!
      return
      end
