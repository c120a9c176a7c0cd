#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the monitor must not do to its host, as far as its binary shows.
: "${builddir:=.}" "${srcdir:=.}"
lib=$builddir/monitor/.libs/libpscmon.so
if [ ! -f "$lib" ] || ! command -v nm > /dev/null || ! command -v readelf > /dev/null; then
	echo "1..0 # SKIP no shared library here, or no nm and readelf"
	exit 0
fi
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
n=0
result() {
	n=$((n + 1))
	[ "$1" = 0 ] && echo "ok $n - $2" && return
	echo "not ok $n - $2"
	sed 's/^/# /' "$tmp/out"
}

# dl_iterate_phdr() allocates nothing; a trial looks with it where malloc's settings are, between two executions.
nm -D --undefined-only "$lib" | awk '{ sub(/@.*/, "", $2); print $2 }' | grep -vx dl_iterate_phdr | grep -xE \
	'(m|c|re)alloc|free|.*alloc_.*|exit|_exit|abort|.*printf.*|f?puts|fopen.*|fwrite|.*assert.*|qsort|signal|sigaction|system|getenv|pthread_getattr_np|dl.*' \
	> "$tmp/out"
[ ! -s "$tmp/out" ]
result $? "no malloc, stdio, exit, abort, signal handler"

nm -D --defined-only "$lib" | awk '{ print $3 }' | sort > "$tmp/have"
sort "$srcdir/monitor/pscmon.sym" | diff - "$tmp/have" > "$tmp/out"
result $? "only the listed symbols are exported"

readelf -dW "$lib" | awk '/NEEDED/ { print $NF }' | grep -vE 'libc\.|libpthread\.|ld-linux' > "$tmp/out"
[ ! -s "$tmp/out" ]
result $? "it needs libc and no further library"

readelf -lW "$lib" | awk '$1 == "TLS" { print $6 }' > "$tmp/out"
[ $(($(cat "$tmp/out"))) -le 64 ]
result $? "thread-local storage is at most 64 bytes"

readelf -dW "$lib" > "$tmp/out"
grep -q NODELETE "$tmp/out" && grep -q STATIC_TLS "$tmp/out"
result $? "it stays loaded; its thread-local storage is of the initial-exec kind"
echo "1..$n"
