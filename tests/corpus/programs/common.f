C SPDX-License-Identifier: BSD-3-Clause
C COMMON blocks, named and blank, which two routines name differently.
C
C x and y: 64 KiB each of /state/, z 256 KiB of blank COMMON; other() calls the first two u and v, which
C are aliases: the names are those of the unit's first routine.  A step
C reads x and writes y, adds z up, and other() reads u and v: with 384 KiB a round each line is new each
C time: 1024 + 1024 + 4096 + 2048 misses in level 1.  An array may begin within a line.
C corpus: machine=touched lto
      subroutine first()
      common /state/ x(8192), y(8192)
      common z(32768), s
      double precision x, y, z, s
      integer i
      do 10 i = 1, 8192
   10 y(i) = x(i) * 0.5d0 + 1
      do 20 i = 1, 32768
   20 s = s + z(i)
      end
      subroutine other()
      common /state/ u(8192), v(8192)
      common z(32768), s
      double precision u, v, z, s
      integer i
      do 10 i = 1, 8192
   10 s = s + u(i)
      do 20 i = 1, 8192
   20 s = s + v(i)
      end
      subroutine step()
      call first()
      call other()
      end
      program main
      common /state/ x(8192), y(8192)
      common z(32768), s
      double precision x, y, z, s
      integer i
      do 10 i = 1, 8192
      x(i) = mod(i, 7)
   10 y(i) = 0
      do 20 i = 1, 32768
   20 z(i) = mod(i, 3)
      s = 0
      do 30 i = 1, 5    ! the phase
      call step()
   30 continue
      print *, s, y(77)
      print '(a,i0)', 'expect z bytes = ', 32768 * 8
      print '(a,i0)', 'expect x bytes = ', 2 * 8192 * 8
      print '(a,i0)', 'expect y bytes = ', 2 * 8192 * 8
      print '(a,i0)', 'expect u bytes = ', 2 * 8192 * 8
      print '(a,i0)', 'expect v bytes = ', 2 * 8192 * 8
      print '(a,i0,1x,i0)', 'expect z load_miss 1 in ', 4094, 4098
      print '(a,i0,1x,i0)', 'expect x load_miss 1 in ', 2046, 2050
      print '(a,i0,1x,i0)', 'expect y load_miss 1 in ', 1022, 1026
      print '(a,i0,1x,i0)', 'expect y store_miss 1 in ', 1022, 1026
      end
