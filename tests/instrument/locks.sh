#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a library does to a lock is recorded at the call: reads and writes of its first bytes, marked as a lock's.
. "$srcdir/tests/instrument/lib.sh"
OMP_NUM_THREADS=1
STUB_RECORD=1
STUB_DESCRIBE=1
export STUB_RECORD STUB_DESCRIBE

# run WAY N: $read and $written bytes
run() {
	STUB_OUT=$tmp/out "$tmp/x" "$1" "$2" > "$tmp/printed" 2> "$tmp/err"
	read=$(sed -n 's/.* bytes-read \([0-9]*\).*/\1/p' "$tmp/out")
	written=$(sed -n 's/.* bytes-written \([0-9]*\).*/\1/p' "$tmp/out")
}

# way NAME READ WRITTEN: bytes of one round
way() {
	run "$1" 100
	r=$read w=$written
	run "$1" 300
	[ "$((read - r))" -eq "$((200 * $2))" ] && [ "$((written - w))" -eq "$((200 * $3))" ] && return 0
	echo "$1: read $((read - r)) instead of $((200 * $2)), wrote $((written - w)) instead of $((200 * $3))" >> "$tmp/log"
	return 1
}

marked() {
	grep -q 'groups.* lock-' "$tmp/err" && return 0
	echo "no group is marked as a lock's" >> "$tmp/log"
	return 1
}

for flags in -O0 -O2 "-O2 -flto"; do
	# shellcheck disable=SC2086
	"$psc" "$gcc" $flags -fopenmp -w "$here/src/locks.c" -o "$tmp/x" > "$tmp/log" 2>&1
	failed=$?
	way mutex 32 32 && marked || failed=1
	way rwlock 32 32 && marked || failed=1
	way spin 4 8 && marked || failed=1
	way semaphore 16 16 && marked || failed=1
	way openmp 8 8 && marked || failed=1
	way critical 16 16 && marked || failed=1
	way named 16 16 && marked || failed=1
	ok $failed "$flags: calls of libraries that lock"
done
for flags in -O0 -O2; do
	"$psc" "$gxx" $flags -w "$here/src/locks.cc" -o "$tmp/x" > "$tmp/log" 2>&1
	failed=$?
	run guarded 10
	marked || failed=1
	run shared 10
	marked || failed=1
	run own 10
	grep -q 'groups.* lock-' "$tmp/err" && failed=1
	ok $failed "$flags: mutexes of C++, and a function of the program of such a name"
done
"$psc" "$gxx" -O2 -w "$here/src/locks.cc" -o "$tmp/x" > "$tmp/log" 2>&1
failed=$?
way guarded 40 40 || failed=1
way shared 40 40 || failed=1
way own 16 8 || failed=1
ok $failed "std::mutex and std::shared_mutex"
finish
