! verify.f: decides whether the computed solution is right.
!
!
      subroutine check( res0, res1, err, right )
!
! Two things must hold for each of the five unknowns:
!
!     - the steps have reduced the residual at least by the factor
!       reduce, so the discrete equations are solved;
!     - the solution differs from the exact one by at most bound*h**2,
!       so they are the right equations, to second order in h.
!
! The forcing is computed from derivatives in closed form, so a mistake
! in the fluxes or in the differences shows in the second test.  The
! bounds are 1.25 times what was found on the coarsest grid, where
! error / h**2 is greatest.  Comparisons are written such that a NaN
! fails.
!
      implicit none
      double precision res0(5), res1(5), err(5)
      logical right
      include 'lu.inc'
      integer m
      double precision reduce, bound(5)
      parameter ( reduce = 1.0d-4 )
      data bound / 0.036d0, 0.0105d0, 0.0245d0, 0.017d0, 0.033d0 /
!
      right = .true.
      do m = 1, 5
         right = right .and. res1(m) .le. reduce*res0(m)
     &                 .and. err(m) .le. bound(m)*h**2
      end do
!
      if ( right ) then
         write (*,'(/,a)') ' Verification: SUCCESSFUL'
      else
         write (*,'(/,a)') ' Verification: FAILED'
      end if
!
      return
      end
