#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The frame of every command: --help fits in 80 columns and has usage, examples and exit codes; the man page has the same
# options; a wrong option ends with 2 and says which one was meant.
srcdir=${srcdir:-..}
builddir=${builddir:-$PWD}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/psc-help.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT
n=0

result() {      # STATUS NAME
	n=$((n + 1))
	[ "$1" -eq 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}

frame() {       # MAN-PAGE COMMAND [SUB-COMMAND]
	page=$srcdir/$1
	command=$2
	shift 2
	name="$command${1:+ $1}"
	"$builddir/$command" "$@" --help > "$tmp/help" 2> "$tmp/err" && [ ! -s "$tmp/err" ]
	result $? "$name --help: exit code 0, standard output only"
	awk 'length($0) > 79 || /[ \t]$/ { print "# " $0; bad = 1 } END { exit bad }' "$tmp/help"
	result $? "$name --help fits in 80 columns"
	grep -q "^Usage: $name " "$tmp/help" && grep -q '^Exit status: ' "$tmp/help"
	result $? "$name --help has usage and exit codes"
	sed -n 's/^  \(-[a-zA-Z], \)\{0,1\}--\([a-z-]*\).*/\2/p' "$tmp/help" > "$tmp/options"
	sed 's/\\-/-/g' "$page" > "$tmp/page"
	while read -r option; do
		grep -q -e "--$option\b" "$tmp/page" || echo "# ${page##*/} does not have --$option"
	done < "$tmp/options" > "$tmp/missing"
	cat "$tmp/missing"
	[ -s "$tmp/options" ] && [ ! -s "$tmp/missing" ]
	result $? "$name: the man page has all its options"
	"$builddir/$command" "$@" --versoin > "$tmp/out" 2> "$tmp/err"
	[ $? -eq 2 ] && [ ! -s "$tmp/out" ] && grep -q "^$command: .*did you mean '--version'?\$" "$tmp/err" &&
		grep -q "^Try $command --help.\$" "$tmp/err"
	result $? "$name: a wrong option ends with 2, the right one is named"
}

for command in psc_frontend psc_report psc_sir psc_machine psc_instrument; do
	[ -x "$builddir/$command" ] || continue
	page=$(find "$srcdir/docs" "$srcdir/report" "$srcdir/sir" "$srcdir/machine" "$srcdir/instrument" -name "$command.1")
	frame "${page#"$srcdir/"}" "$command"
	grep -q '^Examples:' "$tmp/help"
	result $? "$command --help has examples"
done
page=$(find "$srcdir/asl" "$srcdir/aslc" -name aslc.1 2> /dev/null)
frame "${page#"$srcdir/"}" aslc
for sub in check test fmt dump; do
	frame "${page#"$srcdir/"}" aslc $sub
done
for command in psc_frontend psc_report psc_sir psc_machine aslc; do
	[ "$("$builddir/$command" --version)" = "$command (Periscope/C) $(sed -n 's/^#define PACKAGE_VERSION "\(.*\)"/\1/p' "$builddir/config.h")" ]
	result $? "$command --version: one line"
done
echo "1..$n"
