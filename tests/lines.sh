#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Lines of C and C++ with more than 100 columns (a tab takes 8): each part has a limit, which may only fall.
# Most that are left are texts in one string.
cd "${srcdir:-$(dirname "$0")/..}" || exit 1
n=0

# part NAME LIMIT
part() {
	n=$((n + 1))
	count=$(find "$1" -name build -prune -o \( -name '*.c' -o -name '*.h' -o -name '*.cc' \) -print | LC_ALL=C sort |
		while IFS= read -r file; do expand -t8 "$file"; done | LC_ALL=C.UTF-8 awk 'length > 100' | wc -l)
	if [ "$count" -gt "$2" ]; then
		echo "not ok $n - $1: $count lines of more than 100 columns, and $2 are allowed"
	else
		[ "$count" -eq "$2" ] || echo "# $1: the limit can fall to $count"
		echo "ok $n - $1"
	fi
}
echo "1..19"
part agents 10
part analysis 26
part asl 11
part base 19
part binary 3
part burst 14
part collect 7
part events 3
part foreign 18
part frontend 85
part instrument 15
part machine 6
part monitor 5
part phase 0
part report 185
part samples 0
part simulate 4
part sir 14
part tests 2236
