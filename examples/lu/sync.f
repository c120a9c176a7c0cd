! sync.f: keeps the threads of a sweep in the order of the wavefront.
!
! Within a sweep a thread needs the rows of the thread before it, on the
! same plane.  done(0,t) counts the planes that thread t has completed
! in this parallel region; all threads complete the same planes in the
! same order.  So a thread may begin its next plane as soon as its
! predecessor's count is greater than its own.  A thread without rows
! just passes the token on.  The counts are a cache line pair apart.
!
      subroutine sync_start
!
! To be called by each thread, and followed by a barrier.
!
      implicit none
      include 'sync.inc'
      integer me
!
      me = 0
!$    me = omp_get_thread_num()
      done(0,me) = 0
!
      return
      end
!
!
      subroutine sync_wait
!
! Wait until the thread before this one has completed the plane that
! this one is about to begin.  Gives the processor away when waiting
! takes long: there may be more threads than processors.
!
      implicit none
      include 'sync.inc'
      integer me, mine, left, spins, ignore
      interface
         function sched_yield() bind( c, name='sched_yield' )
            use, intrinsic :: iso_c_binding, only : c_int
            integer(c_int) sched_yield
         end function
      end interface
!
      me = 0
!$    me = omp_get_thread_num()
      if ( me .eq. 0 ) return
!
      mine  = done(0,me)
      spins = 0
      do
!$omp atomic read
         left = done(0,me-1)
         if ( left .gt. mine ) exit
         spins = spins + 1
         if ( spins .eq. 1000 ) then
            ignore = sched_yield()
            spins  = 0
         end if
      end do
!$omp flush
!
      return
      end
!
!
      subroutine sync_post
!
! Tell the thread after this one that another plane is complete.
!
      implicit none
      include 'sync.inc'
      integer me, mine
!
      me = 0
!$    me = omp_get_thread_num()
      mine = done(0,me) + 1
!$omp flush
!$omp atomic write
      done(0,me) = mine
!
      return
      end
