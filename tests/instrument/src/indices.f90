! Arrays whose names begin with "at" are accessed at an index that is an element of an array, and no others.
subroutine kernel(at_dummy, at_plane, idx, plain, n, at_shape, s)
	integer, intent(in) :: n, idx(n)
	real(8), intent(inout) :: at_dummy(n), at_plane(n, n), plain(n), s
	real(8), allocatable, intent(inout) :: at_shape(:)
	integer :: i, k
	do i = 1, n
		k = idx(i)
		at_dummy(idx(i)) = at_dummy(idx(i)) + at_plane(k, 3)
		plain(i) = plain(i) + 1
		s = s + at_shape(idx(i) + 1) + plain(n)
	end do
end subroutine
