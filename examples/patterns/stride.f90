! SPDX-License-Identifier: BSD-3-Clause
! Heat that spreads over a plate.  Fortran stores columns one after the other: the first index must run innermost.
module plate
	implicit none
	integer, parameter :: n = 1500
	real(8) :: t(n, n), tnew(n, n)
contains
	subroutine diffuse()
		integer :: i, j
#ifdef FIXED
		do j = 2, n - 1
			do i = 2, n - 1
#else
		do i = 2, n - 1
			do j = 2, n - 1
#endif
				tnew(i, j) = t(i, j) + 0.1d0 * (t(i - 1, j) + t(i + 1, j) + t(i, j - 1) + t(i, j + 1) - 4 * t(i, j))
			end do
		end do
	end subroutine

	subroutine copy_back()
		t(2:n - 1, 2:n - 1) = tnew(2:n - 1, 2:n - 1)
	end subroutine
end module

program stride
	use plate
	implicit none
	integer :: step

	t = 0
	t(:, 1) = 100
	do step = 1, 40
		call diffuse()
		call copy_back()
	end do
	print '(es14.6)', sum(t)
end program
