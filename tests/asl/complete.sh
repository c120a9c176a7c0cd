#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every property that is shipped has a case that holds, one that does not, and one undefined; its file has
# the canonical layout.
LC_ALL=C
export LC_ALL
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
n=0

# What the text cases want: "Property verdict", a line each.
for f in "$srcdir"/tests/asl/*.test; do
	awk '/^=== /{ want = 0 } /^--- /{ want = $2 == "want" }
	want && /^[A-Za-z0-9_]+\([A-Za-z0-9_]+\): / {
		name = $1; sub(/\(.*/, "", name); print name, $2 }' "$f"
done | sort -u >"$dir/wanted"

for f in "$srcdir"/properties/*.asl; do
	n=$((n + 1))
	if aslc fmt --check "$f" >"$dir/out" 2>&1; then
		echo "ok $n - ${f##*/} is laid out as aslc fmt does"
	else
		echo "not ok $n - ${f##*/} is laid out as aslc fmt does"
		sed 's/^/# /' "$dir/out"
	fi
	case $f in */model.asl) continue ;; esac
	aslc dump --model "$srcdir/properties/model.asl" "$f" >"$dir/dump" || {
		echo "Bail out! $f does not compile"
		exit 1
	}
	for property in $(awk '$1 == "property" { print $2 }' "$dir/dump"); do
		missing=
		for verdict in holds fails undecided; do
			grep -qx "$property $verdict" "$dir/wanted" || missing="$missing $verdict"
		done
		n=$((n + 1))
		if [ -z "$missing" ]; then
			echo "ok $n - $property"
		else
			echo "not ok $n - $property"
			echo "# no case in tests/asl/*.test:$missing"
		fi
	done
done
echo "1..$n"
