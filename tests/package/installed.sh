#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What is installed works by itself: a program is built, analysed and read, from a directory outside of the tree.
. "${srcdir:-.}/tests/package/lib.sh"
echo "1..7"

check "psc_gcc builds a program" psc_gcc -O2 -g -o walk walk.c
analysed() {
	psc_frontend -v --agents local --lockstep --app ./walk --phase walk.c:21 --html walk.html >out 2>err &&
		grep -q "a( DATA_STRUCTURE" out
}
check "psc_frontend analyses it, and names the array" analysed
check "psc_report reads the file" psc_report --table walk.psc
check "aslc finds the installed data model" aslc check "$prefix/share/periscope-c/properties/memory.asl"

value() { PKG_CONFIG_PATH=$(echo "$prefix"/lib*/pkgconfig) pkg-config --variable="$1" periscope-c; }
known() {
	case $(value properties) in */share/periscope-c/properties) ;; *) return 1 ;; esac
	case $(value cc) in */bin/psc_gcc) ;; *) return 1 ;; esac
}
if command -v pkg-config >/dev/null; then
	check "pkg-config knows the directories and the wrappers" known
else
	skip "pkg-config knows the directories and the wrappers" "pkg-config is not installed"
fi

cmake_builds() {
	printf 'cmake_minimum_required(VERSION 3.13)\nproject(walk C)\nadd_executable(walk walk.c)\n' >CMakeLists.txt
	cmake -DCMAKE_TOOLCHAIN_FILE="$prefix/share/periscope-c/toolchain.cmake" -S . -B cm && cmake --build cm &&
		psc_sir --regions cm/walk | grep walk.c
}
if command -v cmake >/dev/null; then
	check "the CMake toolchain file builds a program with regions" cmake_builds
else
	skip "the CMake toolchain file builds a program with regions" "cmake is not installed"
fi

# Links in the documents lead to files that are installed too.
links_hold() {
	cd "$prefix/share/doc/periscope-c" || return 1
	bad=0
	for f in README.md docs/*.md; do
		for to in $(grep -o '](\([^):#]*\)' "$f" | sed 's/^](//' | grep -v '^http'); do
			[ -e "${f%/*}/$to" ] || [ -e "$to" ] || { echo "$f: $to"; bad=1; }
		done
	done
	return $bad
}
check "links of the installed documents hold" links_hold
