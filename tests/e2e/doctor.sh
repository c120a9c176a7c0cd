#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --doctor with a program: its records are checked, and a verdict is printed instead of the report.
. "${srcdir:-.}/tests/e2e/lib.sh"
plan 23
cat > app.c <<'EOF'
#include <stdio.h>
static double a[3000];
static double work(int n)
{
	double s = 0;
	for (int i = 1; i < n; i++) {
		a[i] = a[i - 1] + i;
		s += a[(i * 7) % n];
	}
	return s;
}
int main(int argc, char **argv)
{
	double s = 0;
	(void)argv;
	for (int i = 0; i < 12; i++) {
		s += work(3000);
	}
	printf("%g\n", s);
	return argc > 1 ? 7 : 0;
}
EOF
psc_instrument gcc -O2 -g app.c -o app >build.log 2>&1 || skip_all "gcc does not build a program"
psc_frontend --collector >ways 2>&1
check "--collector lists the ways to measure, and what this host can do" sh -c 'grep -q "^  sim " ways && grep -q "^ *available here" ways'
check "a way that does not exist is named, before anything runs" run 2 --collector perff,sim --app ./app --phase app.c:16
check "with those that there are" grep -q "there is no collector .perff.; there are time, sim" err
check "the doctor checks a program" run 0 --doctor --lockstep --phase app.c:16 --app ./app
check "its verdict is that all is sound" grep -qx "Verdict: sound" out
check "it says what was checked" grep -qE "^  checked: [1-9][0-9]* records of [1-9][0-9]* accesses" out
check "a program keeps its exit code" run 7 --doctor --lockstep --phase app.c:16 --app ./app -- more
check "a program that ends at once gives no verdict" eval \
	'run 4 --doctor --phase app.c:4 --max-executions 1 --app ./app && grep -q "^Verdict: unknown" out'

# The card of what this host can know: every facility is there, with what was done.
LC_ALL=C psc_frontend --doctor >card 2>&1
facilities() {
	for f in 'recorder of any' 'samples of processor' 'page faults with address' 'node of a page' 'hardware breakpoints' \
		'hardware counters' 'address samples'; do
		grep -q "^[-~+] $f" "$1" || { echo "no $f"; cat "$1"; return 1; }
	done
}
check "the doctor's card has every facility" facilities card
check "each was tried by effect" grep -q 'tested by effect' card
check "what cannot be had has a reason" awk '/^-/ { no++ } /^ *` / { why++ } END { exit no > why }' card

# A container's filter of system calls.
cat >filtered.c <<'EOF'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof code / sizeof *code, code };
	if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 99;
	execvp(argv[1], argv + 1);
	return 98;
}
EOF
gcc -o filtered filtered.c 2>/dev/null
if ./filtered true; then
	LC_ALL=C ./filtered psc_frontend --doctor >card 2>&1
	check "where perf_event_open is forbidden, the card says by what" grep -q 'filter of system calls' card
	check "and has the rest" facilities card
	./filtered psc_frontend --collector >ways 2>&1
	check "pages cannot be sampled there, and the list says why" sh -c \
		'grep -A1 "^  page " ways | grep -q "not available here: perf_event_open is forbidden here"'
	code=0
	./filtered psc_frontend --collector page --app ./app >out 2>err || code=$?
	check "asked for all the same, nothing is run" [ $code = 2 ]
	check "the reason is printed, and no figure" sh -c \
		'[ ! -s out ] && grep -q "pages cannot be sampled: perf_event_open is forbidden here" err'
else
	for k in 1 2 3; do skip "pages under a filter" "no filter of system calls can be made here"; done
	skip "under a filter" "no filter of system calls can be made here"
	skip "under a filter, the rest" "no filter of system calls can be made here"
fi
# kernel.perf_event_paranoid 3, as some distributions have it, is imitated: a library refuses the
# call as that kernel does, and the file of the setting says 3 in a mount namespace of its own.  The
# host's setting stays as it is.
cat >refuse.c <<'EOF'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
long syscall(long number, ...)
{
	static long (*next)(long, ...);
	va_list list;
	long v[6];
	if (number == SYS_perf_event_open) {
		errno = EACCES;
		return -1;
	}
	va_start(list, number);
	for (int i = 0; i < 6; i++)
		v[i] = va_arg(list, long);
	va_end(list);
	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "syscall");
	return next(number, v[0], v[1], v[2], v[3], v[4], v[5]);
}
EOF
gcc -shared -fPIC -o refuse.so refuse.c -ldl 2>/dev/null
echo 3 >three
cat >strict <<'EOF'
mount --bind three /proc/sys/kernel/perf_event_paranoid || exit 99
LD_PRELOAD=$PWD/refuse.so exec "$@"
EOF
strict() { unshare -m sh ./strict "$@"; }
# refused WORDS ARGUMENTS...: exit code 2, nothing on standard output, and these words
refused() {
	words=$1
	shift
	code=0
	strict psc_frontend --agents local "$@" >out 2>err || code=$?
	[ $code = 2 ] && [ ! -s out ] && grep -q "$words" err
}
if strict true 2>/dev/null; then
	LC_ALL=C strict psc_frontend --doctor >card 2>&1
	check "at paranoid 3 the card has every facility" facilities card
	check "and names the setting" grep -q 'kernel.perf_event_paranoid is 3' card
	check "page: exit code 2, the setting, no figure" refused \
		'perf_event_paranoid is 3 here; samples of page faults' --collector page --app ./app
	check "perf: the same" refused 'collector perf: ' --collector perf --app ./app
	if gcc -O1 -static -o static app.c 2>/dev/null; then
		check "times of a static program: the same" refused 'perf_event_paranoid' -- ./static
	else
		skip "times of a static program" "no static library here"
	fi
else
	for k in 1 2 3 4 5; do skip "at paranoid 3" "no mount namespace can be made here"; done
fi
as_nobody="env TMPDIR=/tmp setpriv --reuid=65534 --regid=65534 --clear-groups"
if $as_nobody test -x "$(command -v psc_frontend)" 2>/dev/null; then
	LC_ALL=C $as_nobody psc_frontend --doctor >card 2>&1
	check "another user gets a card" facilities card
	nobody=$(mktemp -d /tmp/psc-nobody-XXXXXX)
	cp app "$nobody" && chown -R 65534:65534 "$nobody"
	page() {
		cd "$nobody" || return 1
		$as_nobody psc_frontend --agents local --collector page --no-psc --app ./app
	}
	if grep -q '^+ page faults' card; then
		check "and samples pages" eval '(page 2>&1) | grep "^psc: pages of ./app are sampled"'
	else
		skip "and samples pages" "the kernel refuses page-fault events here"
	fi
	rm -rf "$nobody"
else
	skip "another user gets a card" "no other user can run psc_frontend here"
	skip "and samples pages" "no other user can run psc_frontend here"
fi
