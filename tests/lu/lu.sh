#!/bin/sh
# examples/lu, built with the plain compiler: is its answer right for any number
# of threads, does its verification fail when it should, and are the lines where
# the documentation says?

: "${srcdir=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${FC=gfortran}"
case $srcdir in /*) ;; *) srcdir=$(cd "$srcdir" && pwd) ;; esac
src=$srcdir/examples/lu

if ! command -v "${FC%% *}" >/dev/null; then
	echo "1..0 # SKIP no Fortran compiler ($FC)"
	exit 0
fi

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM
cd "$dir" || exit 1
unset FFLAGS LDFLAGS LIBS MAKEFLAGS MAKELEVEL OMP_THREAD_LIMIT OMP_SCHEDULE

test_nr=0
bad=0

# result STATUS DESCRIPTION: one line of TAP
result() {
	test_nr=$((test_nr + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $test_nr - $2"
	else
		echo "not ok $test_nr - $2"
		bad=1
	fi
}

# run THREADS ARGUMENT...: leaves output in out, errors in err, exit status in $status
run() {
	threads=$1
	shift
	OMP_NUM_THREADS=$threads ./lu "$@" >out 2>err
	status=$?
}

# solves THREADS N: the run succeeds and prints what one thread prints
solves() {
	run "$1" "$2"
	[ $status -eq 0 ] && grep -q '^ *Verification: SUCCESSFUL$' out || return 1
	sed '$d' out >notime
	tail -n 1 out | grep -q '^ *Time:.*threads:' || return 1
	[ "$1" -eq 1 ] && cp notime "one.$2"
	cmp -s notime "one.$2"
}

# refused ARGUMENT...: status 2, says why on stderr and nothing on stdout
refused() {
	run 1 "$@"
	[ $status -eq 2 ] && [ ! -s out ] && grep -q usage err
}

# line FILE:NUMBER PATTERN DESCRIPTION: only that line of the file is looked at
line() {
	sed -n "${1#*:}p" "$src/${1%:*}" | grep -Eiq "$2"
	result $? "$1 is the $3"
}

echo 1..41

make -f "$src/Makefile" FC="$FC" >make.out 2>&1
status=$?
[ $status -eq 0 ] || sed 's/^/# /' make.out
result $status "builds outside the source directory"
if [ $status -ne 0 ]; then
	echo "Bail out! nothing to test"
	exit 1
fi

for n in 12 33; do
	for threads in 1 2 3; do
		solves $threads $n
		result $? "size $n, threads $threads: right, and as with one thread"
	done
done
solves 1 8 && solves 50 8
result $? "size 8, more threads than rows: right, and as with one thread"
run 2
sed '$d' out | cmp -s - one.33
result $? "33 is the default size"

for threads in 1 2; do
	run $threads 12 1
	[ $status -eq 1 ] && grep -q '^ *Verification: FAILED$' out
	result $? "one step is not enough, threads $threads: FAILED, exit status 1"
done
run 1 12 1
sed '$d' out >one
run 2 12 1
sed '$d' out | cmp -s - one
result $? "a wrong answer does not depend on the number of threads either"

# The solution of other equations must not pass.
mkdir other && cp "$src"/*.f "$src"/*.inc "$src/Makefile" other &&
	sed 's/+ heat\*vv/+ 0.99d0*heat*vv/' "$src/rhs.f" >other/rhs.f &&
	! cmp -s "$src/rhs.f" other/rhs.f && make -C other FC="$FC" >make.out 2>&1
result $? "builds in its own directory"
OMP_NUM_THREADS=1 ./other/lu 33 >out
[ $? -eq 1 ] && grep -q '^ *Verification: FAILED$' out
result $? "one source wrong by 1 %: FAILED, exit status 1"

# gfortran -O0: see README.md for the stack.
if (ulimit -s 65536) 2>/dev/null; then
	mkdir plain && cd plain && make -f "$src/Makefile" FC="$FC" FFLAGS='-O0 -g -fopenmp' >make.out 2>&1 &&
		(ulimit -s 65536 && OMP_STACKSIZE=64M OMP_NUM_THREADS=2 ./lu 12) >out &&
		sed '$d' out >notime && grep -q '^ *Verification: SUCCESSFUL$' notime
	result $? "right without optimisation"
	cd "$dir" || exit 1
else
	result 0 "right without optimisation # SKIP the stack cannot be made large enough"
fi

refused 7
result $? "refuses a size below 8"
refused 65
result $? "refuses a size above 64"
refused twelve
result $? "refuses a size that is no number"
refused 12,5
result $? "refuses a size with something after the number"
refused ''
result $? "refuses an empty size"
refused 12 0
result $? "refuses to make no step"
refused 12 5 6
result $? "refuses a third argument"

line ssor.f:4    '^ +subroutine ssor'        'subroutine'
line ssor.f:109  '^ +do istep = 1, nstep'    'loop over the time steps'
line ssor.f:120  '^!\$omp parallel'          'parallel region'
line ssor.f:126  '^!\$omp do'                'loop that scales rsd'
line ssor.f:149  '^ +do k = 2, nz - 1'       'upward loop over the planes'
line ssor.f:156  '^ +call jacld\('           'call of jacld'
line ssor.f:165  '^ +call blts\('            'call of blts'
line ssor.f:184  '^ +do k = nz - 1, 2, -1'   'downward loop over the planes'
line ssor.f:189  '^ +call jacu\('            'call of jacu'
line ssor.f:200  '^ +call buts\('            'call of buts'
line ssor.f:221  '^!\$omp do'                'loop that updates u'
line jacld.f:5   '^ +subroutine jacld'       'subroutine'
line jacld.f:39  '^!\$omp do'                'loop over the rows'
line blts.f:4    '^ +subroutine blts'        'subroutine'
line blts.f:55   '^!\$omp do'                'loop for the plane below'
line blts.f:75   '^!\$omp do'                'loop of the solve'
line buts.f:4    '^ +subroutine buts'        'subroutine'
line buts.f:54   '^!\$omp do'                'loop for the plane above'
line buts.f:75   '^!\$omp do'                'loop of the solve'

exit $bad
