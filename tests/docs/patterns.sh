#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The code that docs/patterns shows stands in examples/patterns, line for line, and every pattern has its page.
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
n=0
result() {      # STATUS NAME
	n=$((n + 1))
	[ "$1" -eq 0 ] && echo "ok $n - $2" || echo "not ok $n - $2"
}
for page in "$srcdir"/docs/patterns/*.md; do
	name=$(basename "$page" .md)
	[ "$name" != README ] || continue
	source=$(find "$srcdir/examples/patterns" -name "$name.*")
	awk -v source="$source" '
		BEGIN { while ((getline line < source) > 0) { sub(/^[ \t]+/, "", line); there[line] = 1 } }
		/^```/ { code = !code && /^```(c|cpp|fortran)$/; next }
		code && NF { sub(/^[ \t]+/, ""); lines++; if (!($0 in there)) { print "# not in the program: " $0; bad = 1 } }
		END { exit bad || !lines }' "$page"
	result $? "$name: the code is that of the program"
	grep -q "($name.md)" "$srcdir/docs/patterns/README.md"
	result $? "$name: the index has it"
done
echo "1..$n"
