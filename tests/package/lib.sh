# SPDX-License-Identifier: BSD-3-Clause
# A private directory, and an installation in it.  Sourced; needs srcdir and builddir.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
builddir=${builddir:-$PWD}
. "$srcdir/tests/tap.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/psc-package-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
tap_out=$work/check.out

[ -f "$builddir/instrument/.libs/pscplugin.so" ] || skip_all "configured without the plugin"

# The commands under test: PSC_INSTALLED (its bin directory, from make installcheck), else those of an installation that
# the package's tests share.
if [ -z "${PSC_INSTALLED:-}" ]; then
	root=$builddir/tests/package/root
	mkdir -p "$builddir/tests/package"
	MAKEFLAGS= flock "$root.lock" make -C "$builddir" -s tests/package/root.done >"$work/install.log" 2>&1 || {
		sed 's/^/# /' "$work/install.log" | tail -n 40
		echo "Bail out! make install fails"
		exit 1
	}
	PSC_INSTALLED=$root$(sed -n 's/^bindir=//p' "$root"/*/*/lib*/pkgconfig/periscope-c.pc)
fi
prefix=${PSC_INSTALLED%/*}
# Nothing from the build tree: make check has put it first.
PATH=$PSC_INSTALLED:$(printf '%s' "$PATH" | tr ':' '\n' | grep -vxF "$builddir" | paste -sd:)
unset PSC_MACHINE_PATH PSC_PROPERTIES_PATH
export PATH
cd "$work" || exit 1

cat >walk.c <<'C'
/* Walks down the columns of a matrix that is stored by rows. */
#include <stdio.h>
#include <stdlib.h>

static double a[1024][1024];

static double columns(void)
{
	double sum = 0;

	for (int j = 0; j < 1024; j++)
		for (int i = 0; i < 1024; i++)
			sum += a[i][j];
	return sum;
}

int main(void)
{
	double sum = 0;

	for (int step = 0; step < 40; step++)
		sum += columns();
	return printf("%g\n", sum) < 0;
}
C
