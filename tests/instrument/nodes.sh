#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Which blocks are nodes of a hash table, a tree or a list: src/nodes.X.want holds a line for each variable.
. "$srcdir/tests/instrument/lib.sh"

# What the monitor is told of sites and scopes: NODES NAME, in the order of the names; those of the library have none.
nodes() {
	STUB_HEAP=1 STUB_SITES=1 "$1" 2>&1 >"$tmp/out" | awk '
		match($0, /^(site|scope) .* (scope|line) /) && /flags/ {
			name = $0
			sub(/^(site|scope) /, "", name)
			sub(/ (scope [^ ]* )?line [0-9]* .*/, "", name)
			flags = $0
			sub(/.* flags /, "", flags)
			n = int(flags / 1024) % 4
			if (name != "-" && name !~ /psc/)
				print (n == 0 ? "-" : n == 1 ? "hash" : n == 2 ? "tree" : "list"), name
		}' | LC_ALL=C sort -u -k 2
}

cd "$tmp" || exit 99
for flags in -O0 '-O2 -flto'; do
	for file in nodes.c nodes.cc nodes.f90; do
		# shellcheck disable=SC2086
		"$psc" "$(compiler_of "$file")" -w $flags "$here/src/$file" -o x >log 2>&1
		nodes ./x >got
		LC_ALL=C sort -k 2 "$here/src/$file.want" >want && [ -s want ] && diff want got >log
		ok $? "$file $flags"
	done
done
finish
