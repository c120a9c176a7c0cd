! SPDX-License-Identifier: BSD-3-Clause
! Storage with several names: COMMON here and in storage2.f, EQUIVALENCE.  "expect" as in blocks.c.
      program main
      common /blk/ u(1000), a(1000)
      real*8 u, a, x(800), y(400)
      equivalence (x, y)
      save x, y
      integer i
      do i = 1, 800
       x(i) = 1
      enddo
      do i = 1, 6     ! the phase
       call touch(u, 1000)
       call touch(a, 1000)
       call other
       call touch(x, 800)
       call touch(y, 400)     ! expect: main:x 2400 2400, alias: y main:x
      enddo
      print *, u(3), x(4)
      end
      subroutine touch(x, n)
      integer n, i
      real*8 x(n)
      do i = 1, n
       x(i) = x(i) + 1
      enddo
      end
