#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Who may call whom (docs/architecture.md), asked of the objects: what a part's objects do not define comes from the parts
# that it may call, and no two parts define the same name.
builddir=${builddir:-$PWD}
cd "$builddir" || exit 1
if ! command -v nm > /dev/null; then
	echo "1..0 # SKIP no nm"
	exit 0
fi
tmp=$(mktemp -d "${TMPDIR:-/tmp}/psc-links.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT

# PART: MAY CALL…
sed -n 's/^| `\([a-z/]*\)` | [^|]* | *\([a-z/ ]*\)|$/\1: \2/p' "${srcdir:-..}/docs/architecture.md" > "$tmp/rules"
parts=$(sed 's/:.*//' "$tmp/rules")
echo "1..$(($(echo "$parts" | wc -l) + 1))"

for part in $parts; do
	for object in "$part"/*.o; do
		name=${object##*/}
		name=${name%.o}
		set -- "${srcdir:-..}/$part/${name##*-}".[cly]
		[ -e "$1" ] || continue                 # its source is gone
		nm -P -g "$object" | awk -v part="$part" -v object="$object" '$2 != "w" && $2 != "v" { print part, object, $1, $2 }'
	done
done > "$tmp/symbols"

n=0
for part in $parts; do
	n=$((n + 1))
	may=$(sed -n "s|^$part: *||p" "$tmp/rules" | sed "s, *$,,")
	awk -v part="$part" -v may="$may" '
		BEGIN { split(may, list, " "); for (i in list) allowed[list[i]] = 1 }
		NR == FNR { if ($4 != "U") where[$3] = where[$3] " " $1; next }
		$1 == part && $4 == "U" && ($3 in where) && index(where[$3] " ", " " part " ") == 0 {
			split(where[$3], from, " ")
			good = 0
			for (i in from)
				good = good || allowed[from[i]]
			if (!good)
				print "#" where[$3] ": " $3 " is called by " $2
		}' "$tmp/symbols" "$tmp/symbols" > "$tmp/bad"
	if ! grep -q "^$part " "$tmp/symbols"; then
		echo "not ok $n - $part has no objects"
	elif [ -s "$tmp/bad" ]; then
		cat "$tmp/bad"
		echo "not ok $n - $part calls what it may: $may"
	else
		echo "ok $n - $part calls what it may: ${may:-nobody}"
	fi
done
n=$((n + 1))
awk '$4 != "U" && $3 != "main" { if (!(($3, $1) in seen)) { seen[$3, $1] = 1; where[$3] = where[$3] " " $1; count[$3]++ } }
	END { for (s in count) if (count[s] > 1) print "# " s " is defined by" where[s] }' "$tmp/symbols" > "$tmp/twice"
cat "$tmp/twice"
[ ! -s "$tmp/twice" ] && echo "ok $n - no name is defined by two parts" || echo "not ok $n - no name is defined by two parts"
