#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Reads the objects' symbols (nm) and checks three rules, for the parts that docs/architecture.md lists:
# - a symbol that a part uses and does not define is defined by a part that it may call;
# - inside a part, at most three files need one another in a ring (a strongly connected component of
#   "object A uses a function or variable that object B defines");
# - no name is defined by two parts.
builddir=${builddir:-$PWD}
cd "$builddir" || exit 1
if ! command -v nm > /dev/null; then
	echo "1..0 # SKIP no nm"
	exit 0
fi
tmp=$(mktemp -d "${TMPDIR:-/tmp}/psc-links.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT

# The most files of a part in one ring.
limit=3

# PART: MAY CALL…
sed -n 's/^| `\([a-z/]*\)` | [^|]* | *\([a-z/ ]*\)|$/\1: \2/p' "${srcdir:-..}/docs/architecture.md" > "$tmp/rules"
parts=$(sed 's/:.*//' "$tmp/rules")
echo "1..$((2 * $(echo "$parts" | wc -l) + 1))"

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

# Prints the files of each ring of $part with more than $limit files; last, the size of its largest ring.
for part in $parts; do
	n=$((n + 1))
	awk -v part="$part" -v limit="$limit" '
		$1 != part { next }
		{
			file = $2
			sub(/.*[\/-]/, "", file)        # of PART/PROGRAM-FILE.o
			sub(/\.o$/, "", file)
			if (!(file in number)) {
				number[file] = ++files
				name[files] = file
			}
		}
		$4 != "U" { home[$3] = number[file] }
		$4 == "U" { user[++uses] = number[file]; used[uses] = $3 }
		END {
			for (i = 1; i <= uses; i++)
				if (used[i] in home)
					reach[user[i], home[used[i]]] = 1
			for (via = 1; via <= files; via++)
				for (a = 1; a <= files; a++)
					if ((a, via) in reach)
						for (b = 1; b <= files; b++)
							if ((via, b) in reach)
								reach[a, b] = 1
			for (a = 1; a <= files; a++) {
				if (a in seen)
					continue
				size = 1
				ring = name[a]
				for (b = a + 1; b <= files; b++)
					if (((a, b) in reach) && ((b, a) in reach)) {
						seen[b] = 1
						size++
						ring = ring " " name[b]
					}
				if (size > limit)
					print "# ring of " size ": " ring
				if (size > largest)
					largest = size
			}
			print largest + 0
		}' "$tmp/symbols" > "$tmp/rings"
	largest=$(sed -n '$p' "$tmp/rings")
	sed '$d' "$tmp/rings"
	[ "$largest" -le "$limit" ] && echo "ok $n - $part has no ring of more than $limit files" \
		|| echo "not ok $n - $part has no ring of more than $limit files"
done
n=$((n + 1))
awk '$4 != "U" && $3 != "main" { if (!(($3, $1) in seen)) { seen[$3, $1] = 1; where[$3] = where[$3] " " $1; count[$3]++ } }
	END { for (s in count) if (count[s] > 1) print "# " s " is defined by" where[s] }' "$tmp/symbols" > "$tmp/twice"
cat "$tmp/twice"
[ ! -s "$tmp/twice" ] && echo "ok $n - no name is defined by two parts" || echo "not ok $n - no name is defined by two parts"
