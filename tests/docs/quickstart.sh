#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# quickstart's two commands, one after the other, in a copy of the tree whose configure and make targets only write down
# that they were called.
. "${srcdir:-.}/tests/tap.sh"
plan 8
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
tap_out=$work/check.out
unset MAKEFLAGS MFLAGS MAKELEVEL
QUICKSTART_NO_INSTALL=1
export QUICKSTART_NO_INSTALL
PATH=$work/bin:$PATH

mkdir bin examples examples/lu
cp "$srcdir/quickstart" .
touch configure.ac
printf 'all:\n' >examples/lu/Makefile
# As autoconf's: it refuses the results of another compiler or other flags.
cat >configure <<'END'
#!/bin/sh
dir=$(basename "$PWD")
echo "configure $dir" >>"$CALLS"
[ ! -e "$BREAK" ] || [ "$dir" = build ] || exit 1
flags=$(for word; do case $word in CC=* | CFLAGS=*) echo "$word" ;; esac; done)
[ ! -f config.cache ] || [ "$flags" = "$(cat config.cache)" ] || { echo "CFLAGS was not set in the previous run" >&2; exit 1; }
echo "$flags" >config.cache
touch config.status
{
	printf 'all:\n\t@echo make %s >>"$$CALLS"\nclean:\n\t@echo clean %s >>"$$CALLS"\n' "$dir" "$dir"
	printf 'check-scripts:\n\t@echo "# TOTAL: 3"; echo "# PASS: 2"; echo "# SKIP: 1"\n'
	printf 'check-timed check-unit:\n\t@echo "# TOTAL: 1"; echo "# PASS: 1"\n'
} >Makefile
printf '#!/bin/sh\necho analysed\n' >psc_frontend
chmod +x psc_frontend
END
chmod +x configure
CALLS=$work/calls
BREAK=$work/break
export CALLS BREAK

# calls COMMAND CODE "CALLS": runs quickstart, and compares what it called
calls() {
	: >"$CALLS"
	exits "$2" ./quickstart "$1" >out 2>&1 || { echo "exit code"; cat out; return 1; }
	[ "$(tr '\n' ',' <"$CALLS")" = "$3" ] || { echo "called:"; cat "$CALLS" out; return 1; }
}
closes() { [ "$(tail -n 1 out)" = "$1" ] || { cat out; return 1; }; }

check "run configures, builds and analyses" calls run 0 "configure build,make build,"
check "test after it builds by what run configured, and the sanitizers' build" \
	calls test 0 "make build,configure san,"
check "and ends with the counts" closes "4 passed, 0 failed, 1 skipped"
check "a second test configures nothing" calls test 0 "make build,"

printf '#!/bin/sh\necho "mpicc for MPICH 99"\n' >bin/mpicc.mpich
chmod +x bin/mpicc.mpich
check "after an installation of MPICH it configures again, and keeps what is built" \
	calls test 0 "configure build,make build,configure san,"

sed -i 's/options="CC=[^"]*/& CPPFLAGS=-DX/' quickstart
check "what was built by other options is built again" calls run 0 "configure build,clean build,make build,"

touch "$BREAK"
check "where the last part cannot be configured, the command fails" calls test 1 "make build,configure san,"
check "and ends with the counts, too" closes "3 passed, 1 failed, 1 skipped"
