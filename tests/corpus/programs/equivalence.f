C SPDX-License-Identifier: BSD-3-Clause
C EQUIVALENCE: words and whole are one piece of memory, 256 KiB, a member of a block.
C
C Three walks, each over all of it: together 3 x 4096 misses in level 1, whatever the name.
C corpus: machine=touched
      subroutine step()
      double precision whole(32768), s
      integer words(65536), i, t
      equivalence (whole(1), words(1))
      common /block/ whole, s, t
      do 10 i = 1, 32768
   10 whole(i) = i
      do 20 i = 1, 65536
   20 t = ieor(t, words(i))
      do 30 i = 1, 32768
   30 s = s + whole(i)
      end
      program main
      double precision whole(32768), s
      integer t, i
      common /block/ whole, s, t
      s = 0
      t = 0
      do 30 i = 1, 5    ! the phase
      call step()
   30 continue
      print *, s, t
      print '(a,i0)', 'expect whole bytes = ', 3 * 262144
      print '(a,i0,1x,i0)', 'expect whole miss 1 in ', 12280, 12296
      print '(a,i0,1x,i0)', 'expect whole store_miss 1 in ', 4094, 4098
      end
