C     Fixed form: continuation lines, COMMON, nests, calls, constructs.
      program nest
      implicit none
      integer n, it, i
      parameter (n=16)
      double precision u(n,n), rsd(n,n), w(n)
      common /cvar/ u
      common /cgcon/ rsd
      do i = 1, n
         w(i) = i
      end do
      do it = 1, 3
         call rhs(rsd,
     &            w,
     &            n)
         if (it .eq. 2) then
            call small(w)
         end if
      end do
      print *, u(3,3)
      end

      subroutine rhs(v, w, m)
      implicit none
      integer m, i, j, k
      double precision v(m,m), w(*)
      double precision u(16,16)
      common /cvar/ u
!$omp parallel default(shared)
!$omp& private(i,j,k)
!$omp do schedule(static)
      do j = 1, m
         do i = 1, m
            v(i,j) = i + j
         end do
      end do
!$omp end do
!$omp master
      w(1) = 2
!$omp end master
!$omp barrier
!$omp do
      do j = 1, m
         do i = 1, m
            do k = 1, 2
               u(i,j) = u(i,j) + v(i,j) * w(k)
            end do
         end do
      end do
!$omp end do nowait
!$omp end parallel
      do 20 j = 1, m
         do 10 i = 1, m
            u(i,j) = u(i,j) * 0.5d0
   10    continue
   20 continue
      end

      subroutine small(w)
      double precision w(*)
      w(1) = 0
      end
