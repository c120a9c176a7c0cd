#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every file of the repository is in the tarball of make dist.  Needs a clone with git.
srcdir=${srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
builddir=${builddir:-$PWD}
. "$srcdir/tests/tap.sh"
git -C "$srcdir" rev-parse --git-dir >/dev/null 2>&1 || skip_all "not a clone, or no git"
work=$(mktemp -d "${TMPDIR:-/tmp}/psc-tarball-XXXXXX")
trap 'rm -rf "$work"' EXIT
tap_out=$work/check.out

all_files_are_in() {
	git -C "$srcdir" ls-files | grep -vxE '\.ci/run|\.gitignore' | LC_ALL=C sort >"$work/tracked"
	MAKEFLAGS= make -C "$builddir" -s list-dist | while read -r path; do
		if [ -d "$srcdir/$path" ]; then (cd "$srcdir" && find "$path" -type f); else echo "$path"; fi
	done | LC_ALL=C sort -u >"$work/listed"
	LC_ALL=C comm -23 "$work/tracked" "$work/listed" >"$work/left_out"
	cat "$work/left_out"
	[ -s "$work/tracked" ] && [ ! -s "$work/left_out" ]
}
plan 1
check "every file of the repository is in the tarball" all_files_are_in
