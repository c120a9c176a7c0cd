# SPDX-License-Identifier: BSD-3-Clause
# For the end-to-end tests: a private directory, examples/lu built as a user builds it.
# Sourced; needs srcdir and builddir (set by make check; or run from a build directory).
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
builddir=${builddir:-$PWD}
. "$srcdir/tests/tap.sh"
PATH=$builddir:$PATH
PSC_MACHINE_PATH=$srcdir/machine
PSC_PROPERTIES_PATH=$srcdir/properties
OMP_NUM_THREADS=1
PSC_CHECK=1     # whatever is recorded in these tests is checked: a violation is a partial analysis
export PATH PSC_MACHINE_PATH PSC_PROPERTIES_PATH OMP_NUM_THREADS PSC_CHECK
work=$(mktemp -d "${TMPDIR:-/tmp}/psc-e2e-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cd "$work" || exit 1
TMPDIR=$work/tmp        # whatever is left behind there is ours
mkdir "$TMPDIR"
export TMPDIR
# What the program and the tool printed belongs to a failed check, too.
check() {
	name=$1
	shift
	if "$@" >check.out 2>&1; then ok "$name"; else not_ok "$name" check.out out err; fi
}

command -v gfortran >/dev/null || skip_all "gfortran is not installed"
[ -f "$builddir/instrument/.libs/pscplugin.so" ] || skip_all "configured without the plugin"

# build_lu DIR [FFLAGS]: examples/lu, instrumented
build_lu() {
	mkdir -p "$1"
	(cd "$1" && make -s -f "$srcdir/examples/lu/Makefile" FC="psc_instrument gfortran" \
		FFLAGS="${2:--O2 -g -fopenmp}") >build.log 2>&1 || {
		sed 's/^/# /' build.log
		echo "Bail out! examples/lu does not build"
		exit 1
	}
}
# run CODE ARGUMENTS...: psc_frontend with the whole report; true when it ends with that code.  The program waits for the planner, so
# that its executions suffice however busy the machine is.
run() {
	want=$1
	shift
	code=0
	psc_frontend -v --lockstep "$@" >out 2>err || code=$?
	! grep 'check: wrong' err || return 1
	[ "$code" = "$want" ] || { echo "exit code $code, not $want"; return 1; }
}
# Nothing of ours is left: no directory, no process that carries our TMPDIR.
nothing_left() {
	i=0
	while [ $i -lt 100 ]; do
		left=$(ls -A "$TMPDIR")
		procs=$(grep -lsz "^TMPDIR=$TMPDIR" /proc/[0-9]*/environ 2>/dev/null |
			sed 's,/proc/\([0-9]*\)/.*,\1,' | while read -r p; do
			name=$(cat "/proc/$p/comm" 2>/dev/null)
			case $name in psc_* | mpirun | orted) echo "$p:$name" ;; esac
		done)
		[ -n "$left$procs" ] || return 0
		sleep 0.1
		i=$((i + 1))
	done
	echo "left behind: $left $procs"
	return 1
}
