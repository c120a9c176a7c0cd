#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# No two files of the product have one name, so that a name alone says which file is meant.  A source and its header
# share theirs.
cd "${srcdir:-$(dirname "$0")/..}" || exit 1
echo "1..1"
twice=$(find agents analysis asl base binary burst collect events foreign frontend instrument machine monitor phase report \
	samples simulate sir -name '*.c' -o -name '*.h' -o -name '*.cc' |
	sed 's/\.[a-z]*$//' | LC_ALL=C sort -u | sed 's|.*/||' | LC_ALL=C sort | uniq -d)
[ -z "$twice" ] || { echo "# names of two files:" $twice; printf 'not '; }
echo "ok 1 - file names are unique"
