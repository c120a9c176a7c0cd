#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs every snippet of docs/language.md, in its order, in one directory:
#   ```asl [NAME]        a property file: checked without complaint, unless NAME begins with wrong or open
#   ```asl-test [NAME]   cases for aslc test
#   ```conf NAME         a file
#   ```console           commands after "$ ", and what they print
srcdir=${srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
builddir=${builddir:-$PWD}
PATH=$builddir:$PATH
PSC_MACHINE_PATH=$srcdir/machine
PSC_PROPERTIES_PATH=$srcdir/properties
OMP_NUM_THREADS=1
export PATH PSC_MACHINE_PATH PSC_PROPERTIES_PATH OMP_NUM_THREADS
page=$srcdir/docs/language.md
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
mkdir "$work/blocks" "$work/dir"
awk -v dir="$work/blocks" -f "$srcdir/tests/docs/snippets.awk" "$page" || exit 99
cd "$work/dir" || exit 99

no_program=
command -v gfortran >/dev/null || no_program="gfortran is not installed"
[ -f "$builddir/instrument/.libs/pscplugin.so" ] || no_program='configured without the plugin'
if [ -z "$no_program" ]; then
	mkdir lu.build
	(cd lu.build && make -s -f "$srcdir/examples/lu/Makefile" FC="psc_instrument gfortran") >build.log 2>&1
	mv lu.build/lu . || no_program='examples/lu does not build'
fi

# The commands of a console block, each after its own text, as one shell would run them.
script() {
	awk '/^\$ / { command = substr($0, 3); text = command; gsub(/\047/, "\047\\\047\047", text)
		printf "rc=$?; printf \047$ %%s\\n\047 \047%s\047; (exit $rc)\n%s\n", text, command }' "$1"
}
run_block() { # file kind name
	case $2 in
	asl)
		[ "$3" = - ] && set -- "$1" "$2" snippet.asl
		cp "$1" "$3"
		case $3 in wrong*|open*) return 0 ;; esac
		aslc check "$3" >out 2>&1 && [ ! -s out ] && aslc fmt --check "$3" >out 2>&1 ;;
	asl-test)
		[ "$3" = - ] && set -- "$1" "$2" snippet.test
		cp "$1" "$3"
		aslc test "$3" >out 2>&1 ;;
	conf)
		cp "$1" "$3" ;;
	console)
		script "$1" >commands
		sh ./commands >printed 2>&1 </dev/null
		awk -f "$srcdir/tests/docs/same.awk" "$1" printed >out || { sed 's/^/| /' printed >>out; false; } ;;
	*)
		echo "a block of unknown kind: '$2'" >out
		false ;;
	esac
}

echo "1..$(wc -l <"$work/blocks/list")"
while read -r number kind name line; do
	file=$work/blocks/$number.$kind
	n=$(echo "$number" | sed "s/^0*//")
	if [ -n "$no_program" ] && grep -q '^\$ psc_frontend' "$file"; then
		echo "ok $n - language.md:$line # SKIP $no_program"
	elif run_block "$file" "$kind" "$name"; then
		echo "ok $n - language.md:$line $kind"
	else
		echo "not ok $n - language.md:$line $kind"
		sed 's/^/# /' out
	fi
done <"$work/blocks/list"
