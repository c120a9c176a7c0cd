#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Reads the objects' symbols (nm) and checks three rules, for the parts that docs/architecture.md lists:
# - a symbol that a part uses and does not define is defined by a part that it may call;
# - inside a part, at most three files need one another in a ring (a strongly connected component of
#   "object A uses a function or variable that object B defines");
# - no name is defined by two parts.
# Weak definitions do not count: they stand before functions of other libraries (burst/next.h).
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
# Without Zydis or libdw, these two are not built.
grep -q '^#define HAVE_FOREIGN 1' config.h || sed -i -e '/^burst:/d' -e '/^foreign:/d' "$tmp/rules"
parts=$(sed 's/:.*//' "$tmp/rules")
echo "1..$((2 * $(echo "$parts" | wc -l) + 1))"

# folders PART: where its objects are: folders of it that are no parts themselves and are not built apart belong to it
folders() {
	echo "$1"
	for folder in "${srcdir:-..}/$1"/*/; do
		name=$1/$(basename "$folder")
		grep -q "^$name:" "$tmp/rules" || [ -e "$folder/local.mk" ] || [ ! -d "$name" ] || echo "$name"
	done
}
# PART OBJECT …
for part in $parts; do
	for folder in $(folders "$part"); do
		for object in "$folder"/*.o; do
			name=${object##*/}
			name=${name%.o}
			set -- "${srcdir:-..}/$folder/${name##*-}".[cly]
			[ ! -e "$1" ] || echo "$part $object"         # else its source is gone
		done
	done
done > "$tmp/objects"
# One call of nm for all objects: FILE: SYMBOL TYPE ….
# shellcheck disable=SC2046
nm -A -P -g $(sed 's/.* //' "$tmp/objects") | awk 'FILENAME != "-" { home[$2] = $1; next } $3 !~ /^[wvW]$/ {
	object = substr($1, 1, length($1) - 1)
	print home[object], object, $2, $3
}' "$tmp/objects" - > "$tmp/symbols"

# The verdicts, with what explains them.
awk -v limit="$limit" '
	# Whether the part may call one of those that define the symbol.
	function may_call(part, symbol,   from, i) {
		split(where[symbol], from, " ")
		for (i in from)
			if (from[i] == part || (part, from[i]) in allowed)
				return 1
		return 0
	}
	# All that a file needs, directly or not, is in reach[file, ...].
	function visit(file, from,   list, i, k) {
		k = split(needs[from], list, " ")
		for (i = 1; i <= k; i++)
			if (!((file, list[i]) in reach)) {
				reach[file, list[i]] = 1
				visit(file, list[i])
			}
	}
	# The largest ring of files of a part; those of more than `limit` are printed.
	function rings(part,   a, b, k, file, size, ring, largest, seen) {
		k = split(files[part], file, " ")
		for (a = 1; a <= k; a++) {
			if (file[a] in seen)
				continue
			size = 1
			ring = file[a]
			for (b = a + 1; b <= k; b++)
				if ((file[a], file[b]) in reach && (file[b], file[a]) in reach) {
					seen[file[b]] = 1
					size++
					ring = ring " " file[b]
				}
			if (size > limit) {
				gsub(/[^ ]*[\/-]/, "", ring)
				print "# ring of " size ": " ring
			}
			if (size > largest)
				largest = size
		}
		return largest
	}
	function verdict(good, text) { print (good ? "ok " : "not ok ") ++n " - " text }

	FILENAME == ARGV[1] {
		part = $1
		sub(/:$/, "", part)
		parts[++nparts] = part
		for (i = 2; i <= NF; i++) {
			allowed[part, $i] = 1
			may[part] = may[part] (i > 2 ? " " : "") $i
		}
		next
	}
	{
		key = $1 " " $2
		sub(/\.o$/, "", key)
		sub(/ .*[\/-]/, "/", key)        # of PART/PROGRAM-FILE.o
		if (!(key in known)) {
			known[key] = 1
			files[$1] = files[$1] " " key
		}
		if ($4 == "U") {
			user[++uses] = key
			user_part[uses] = $1
			user_object[uses] = $2
			used[uses] = $3
			next
		}
		home[$1, $3] = key
		if (index(where[$3] " ", " " $1 " ") == 0) {
			where[$3] = where[$3] " " $1
			if ($3 != "main" && ++homes[$3] > 1)
				twice[$3] = 1
		}
	}
	END {
		for (i = 1; i <= uses; i++) {
			if (used[i] in where && !may_call(user_part[i], used[i]))
				bad[user_part[i]] = bad[user_part[i]] "#" where[used[i]] ": " used[i] " is called by " user_object[i] "\n"
			if ((user_part[i], used[i]) in home)
				needs[user[i]] = needs[user[i]] " " home[user_part[i], used[i]]
		}
		for (i = 1; i <= nparts; i++) {
			printf "%s", bad[parts[i]]
			if (files[parts[i]] == "")
				verdict(0, parts[i] " has no objects")
			else
				verdict(bad[parts[i]] == "", parts[i] " calls what it may: " (may[parts[i]] == "" ? "nobody" : may[parts[i]]))
		}
		for (file in known)
			visit(file, file)
		for (i = 1; i <= nparts; i++)
			verdict(rings(parts[i]) <= limit, parts[i] " has no ring of more than " limit " files")
		for (symbol in twice)
			print "# " symbol " is defined by" where[symbol]
		for (symbol in twice)
			break
		verdict(symbol == "", "no name is defined by two parts")
	}' "$tmp/rules" "$tmp/symbols"
