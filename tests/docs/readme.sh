#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The README: two screens, whose commands, options and links exist.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
builddir=${builddir:-$PWD}
readme=$srcdir/README.md
n=0
result() {      # STATUS NAME
	n=$((n + 1))
	[ "$1" -eq 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}

awk '{ gsub(/\]\([^)]*\)/, "]") } length($0) > 105 { print "# too long: " $0; bad = 1 } END { if (NR > 80) print "# " NR " lines"; exit bad || NR > 80 }' "$readme"
result $? "at most 80 lines, none much longer than a screen is wide"

bad=0
for link in $(grep -o '](\([^):#]*\)' "$readme" | sed 's/^](//'); do
	[ -e "$srcdir/$link" ] || { echo "# no $link"; bad=1; }
done
result $bad "links lead to files"

# Every page of docs/ can be reached from it.
bad=0
for page in "$srcdir"/docs/*.md; do
	grep -qF "(docs/${page##*/})" "$readme" || { echo "# not named: ${page##*/}"; bad=1; }
done
result $bad "all pages of docs are named"

bad=0
for command in $(grep -o '\bpsc_[a-z+]*' "$readme" | sort -u); do
	[ -x "$builddir/$command" ] || [ ! -x "$builddir/psc_instrument" ] || { echo "# no $command"; bad=1; }
done
result $bad "commands exist"

# Options of the commands that it shows, up to the program's own arguments.
bad=0
for command in psc_frontend psc_report psc_sir psc_machine; do
	"$builddir/$command" --help >help.$$
	for option in $(grep -o "\b$command .*" "$readme" | sed 's/ -- .*//; s/[`#].*//' | grep -oE -- ' --?[a-z][a-z-]*'); do
		grep -qE -- "(^| )$option[ ,]" help.$$ || { echo "# $command has no $option"; bad=1; }
	done
	rm -f help.$$
done
result $bad "options exist"

bad=0
for command in $(sed -n 's/^    \.\/quickstart \([a-z]*\) .*/\1/p' "$readme"); do
	grep -qE "^$command\) " "$srcdir/quickstart" || { echo "# quickstart has no $command"; bad=1; }
	seen="$seen $command"
done
[ "$seen" = " run test" ] || bad=1
in_ci=$(sed -n 's/.*\.\/quickstart \([a-z]*\)$/ \1/p' "$srcdir/.ci/run" 2>/dev/null | tr -d '\n')
[ "$in_ci" = " run test" ] || [ ! -e "$srcdir/.ci" ] || bad=1
result $bad "quickstart has the two commands, and continuous integration runs them in their order"
echo "1..$n"
