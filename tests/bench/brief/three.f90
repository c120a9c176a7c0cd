! SPDX-License-Identifier: BSD-3-Clause
! Three long steps of advection in three dimensions, by directions, each in its own subroutine.
module advection
	implicit none
	integer :: n = 120
	real(8), allocatable :: q(:, :, :), f(:, :, :)
contains
	subroutine setup()
		integer :: i, j, k
		allocate (q(n, n, n), f(n, n, n))
		do k = 1, n
			do j = 1, n
				do i = 1, n
					q(i, j, k) = exp(-0.01d0*((i - n/2)**2 + (j - n/2)**2 + (k - n/2)**2))
				end do
			end do
		end do
	end subroutine

	subroutine along_x(c)
		real(8), intent(in) :: c
		integer :: i, j, k
		do k = 1, n
			do j = 1, n
				do i = 2, n
					f(i, j, k) = q(i, j, k) - c*(q(i, j, k) - q(i - 1, j, k))
				end do
				f(1, j, k) = q(1, j, k)
			end do
		end do
		q = f
	end subroutine

	subroutine along_z(c)
		real(8), intent(in) :: c
		integer :: i, j, k
		do j = 1, n
			do i = 1, n
				do k = 2, n
					f(i, j, k) = q(i, j, k) - c*(q(i, j, k) - q(i, j, k - 1))
				end do
				f(i, j, 1) = q(i, j, 1)
			end do
		end do
		q = f
	end subroutine

	subroutine step(c)
		real(8), intent(in) :: c
		call along_x(c)
		call along_z(c)
		call along_z(0.5d0*c)
	end subroutine
end module

program three
	use advection
	implicit none
	integer :: t, steps
	character(16) :: word
	steps = 3
	if (command_argument_count() > 0) then
		call get_command_argument(1, word)
		read (word, *) steps
	end if
	call setup()
	do t = 1, steps ! PHASE
		call step(0.3d0)
	end do
	print '(f14.6)', sum(q)
end program
