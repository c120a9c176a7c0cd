# SPDX-License-Identifier: BSD-3-Clause
# For tests of programs that our wrappers have not compiled: a private directory, and `run`.  Sourced, at least from the
# build directory; srcdir and builddir are set by make check.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
builddir=${builddir:-$PWD}
. "$srcdir/tests/tap.sh"
grep -q '^#define HAVE_FOREIGN 1' "$builddir/config.h" || skip_all "configured without Zydis or libdw, or not for x86-64"
PATH=$builddir:$PATH
PSC_PROPERTIES_PATH=$srcdir/properties
PSC_MACHINE_PATH=$srcdir/machine
PSC_CALIBRATE=no
export PATH PSC_PROPERTIES_PATH PSC_MACHINE_PATH PSC_CALIBRATE
exec </dev/null
work=$(mktemp -d "${TMPDIR:-/tmp}/psc-any-XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
TMPDIR=$work/tmp
mkdir "$TMPDIR"
export TMPDIR
tap_out=$work/check.out
cc=${PSC_GCC:-gcc}

run() { # CODE ARGUMENTS...
	want=$1
	shift
	code=0
	psc_frontend --agents local -v "$@" >out 2>err || code=$?
	cat err
	[ $code = "$want" ] || { echo "exit code $code, not $want"; return 1; }
}
