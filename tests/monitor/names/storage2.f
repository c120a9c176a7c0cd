! SPDX-License-Identifier: BSD-3-Clause
! The same block otherwise: what the first unit names keeps its names.
! expect: blk:u 4000 4000, expect: blk:a 4000 4000, expect: blk:tail 600 600
! alias: c blk:u, alias: d blk:a
      subroutine other
      common /blk/ c(500), d(1500), tail(300)
      real*8 c, d, tail
      call touch(c, 500)
      call touch(d, 1500)
      call touch(tail, 300)
      end
