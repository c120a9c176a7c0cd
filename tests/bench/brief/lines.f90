! SPDX-License-Identifier: BSD-3-Clause
! Alternating directions: tridiagonal systems along rows, then along columns, in nested subroutines.
program lines
	implicit none
	integer, parameter :: n = 350
	real(8) :: u(n, n), r(n, n)
	integer :: t, steps
	character(16) :: word
	steps = 50
	if (command_argument_count() > 0) then
		call get_command_argument(1, word)
		read (word, *) steps
	end if
	call start()
	do t = 1, steps ! PHASE
		call advance(0.4d0)
	end do
	print '(es16.8)', sum(u)
contains
	subroutine start()
		integer :: i, j
		do j = 1, n
			do i = 1, n
				u(i, j) = sin(0.02d0*i)*cos(0.03d0*j)
			end do
		end do
	end subroutine

	subroutine advance(c)
		real(8), intent(in) :: c
		call rows(c)
		call columns(c)
	end subroutine

	subroutine rows(c)
		real(8), intent(in) :: c
		integer :: j
		do j = 1, n
			r(:, j) = u(:, j)
			call solve(n, c, r(:, j))
		end do
		u = r
	end subroutine

	subroutine columns(c)
		real(8), intent(in) :: c
		real(8) :: one(n)
		integer :: i
		do i = 1, n
			one = u(i, :)
			call solve(n, c, one)
			u(i, :) = one
		end do
	end subroutine

	subroutine solve(m, c, x)
		integer, intent(in) :: m
		real(8), intent(in) :: c
		real(8), intent(inout) :: x(m)
		real(8) :: w(m), d
		integer :: i
		d = 1 + 2*c
		w(1) = -c/d
		x(1) = x(1)/d
		do i = 2, m
			d = 1 + 2*c + c*w(i - 1)
			w(i) = -c/d
			x(i) = (x(i) + c*x(i - 1))/d
		end do
		do i = m - 1, 1, -1
			x(i) = x(i) - w(i)*x(i + 1)
		end do
	end subroutine
end program
