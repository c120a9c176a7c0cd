#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh ARCH: real counters where this machine has none.  Boots a virtual machine of another processor, whose first process
# counts known loops with the monitor's code (init.c).  README.md says what it needs; what is missing is a skip.
#
# arm64, with -icount: every instruction is counted, so that the figures are exact.
# riscv64: misses of the dTLB are counted, also in an analysis of walk.c, from the plugin to the report.
. "${srcdir:-$(dirname "$0")/../..}/tests/qemu/guest.sh"
arch=${1:-arm64}
case $arch in
arm64)
	triplet=aarch64-linux-gnu suite='' packages=''
	qemu="qemu-system-aarch64 -M virt,gic-version=3 -cpu neoverse-n1 -icount shift=0 -m 512" console=ttyAMA0
	wanted="qemu-system-arm, gcc-12-aarch64-linux-gnu, libc6-dev-arm64-cross, cpio" ;;
riscv64)
	triplet=riscv64-linux-gnu suite=trixie packages="libc6-dev libxml2-dev libelf-dev zlib1g-dev"
	qemu="qemu-system-riscv64 -M virt -cpu rv64,sscofpmf=true -m 512 -smp 2 -accel tcg,thread=multi" console=ttyS0
	wanted="qemu-system-misc, opensbi, gcc-12-riscv64-linux-gnu, gcc-12-plugin-dev-riscv64-linux-gnu, cpio" ;;
*) echo "Bail out! run.sh arm64 or riscv64, not $arch"; exit 99 ;;
esac
for cc in $triplet-gcc $triplet-gcc-14 $triplet-gcc-13 $triplet-gcc-12 ''; do
	[ -n "$cc" ] || skip_all "no cross compiler for $arch ($wanted)"
	command -v "$cc" >/dev/null && break
done
guest_begin

# --- the guest's files ---------------------------------------------------------------------------------------------

# Front end, agent and monitor for the guest.
build_tools() {
	mkdir -p "$guest" && cd "$guest" || return 1
	export PKG_CONFIG_LIBDIR="$dir/sysroot-$arch/usr/lib/$triplet/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$dir/sysroot-$arch"
	[ -f Makefile ] || "$srcdir/configure" -q --host=$triplet --without-mpi --without-hwloc --without-pfm --disable-plugin \
		CC="$cc $sysroot" CFLAGS=-O2 || return 1
	${MAKE:-make} -s -j"$(getconf _NPROCESSORS_ONLN)" qemu-guest
}
# walk.c, instrumented for the guest.
build_program() {
	cd "$work" || return 1
	# shellcheck disable=SC2086
	XDG_CACHE_HOME=$dir PSC_LIBDIR=$guest/monitor/.libs "$builddir/psc_instrument" $cc $sysroot -O2 -g "$srcdir/tests/qemu/walk.c" \
		-o root/psc/walk
}
# The libraries that the programs need, and what these need.
copy_libraries() {
	for pass in 1 2 3; do
		for f in "$root"/psc/* "$root"/lib/*; do $triplet-readelf -ld "$f" 2>/dev/null; done |
			sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p; s/.*interpreter: .*\/\([^]]*\)\]/\1/p' | sort -u | while read -r so; do
			[ -f "$root/lib/$so" ] || cp -L "$guest/monitor/.libs/$so" "$root/lib" 2>/dev/null ||
				cp -L "$dir/sysroot-$arch/usr/lib/$triplet/$so" "$root/lib" || exit 1
		done || return 1
	done
}
prepare() {
	guest=$builddir/tests/qemu/$arch
	[ -x "$builddir/psc_instrument" ] || { echo "configured without the plugin"; return 1; }
	[ ! -f "$srcdir/config.status" ] || { echo "configured in the source directory"; return 1; }
	(build_tools) && (build_program) || return 1
	cp "$guest/psc_frontend" "$guest/psc_agent_local" "$srcdir"/machine/*.xml "$srcdir"/properties/model.asl \
		"$srcdir"/properties/events.recipes "$srcdir/tests/qemu/walk.asl" "$root/psc" && copy_libraries || return 1
	line=$(sed -n '/the phase/=' "$srcdir/tests/qemu/walk.c")
	for try in 1 2 3; do
		guest_command /psc/psc_frontend -v --lockstep --agents local --no-what-if --why-not --machine x86-server \
			--properties /psc/walk.asl --phase "walk.c:$line" --app /psc/walk -- 60
	done
}
analysed=
if [ -n "$packages" ]; then
	if prepare >prepare.log 2>&1; then analysed=yes; else rm -f "$root/psc/commands"; fi
fi

guest_run 240

# --- what must be ----------------------------------------------------------------------------------------------------

tap_out=/dev/null
grep -v '^report' figures >why
grep '^report.*\(dTLB\|undecided\|pruned\|partial\|psc_frontend:\|Time  \)' figures >>why
one=$(figure instructions)
two=$(figure instructions-twice)
cycles=$(figure cycles)
dtlb=$(figure dtlb)
counted_everywhere() {
	grep -qx end figures
	result $? "$arch: the machine ran to its end"
	[ "$(figure faults)" = 100 ]
	result $? "100 new pages are 100 page faults"
	[ "$(figure handlers)" = 11 ]
	result $? "a signal handler that the kernel calls is told from one that the program calls"
}
if [ "$arch" = arm64 ]; then
	plan 7
	counted_everywhere
	# Beside the loop's 2 000 000: the way from the reading before it to the reading after it.
	between "$one" 2000000 2000400
	result $? "a loop of 2 000 000 instructions has as many (${one:-none} with two readings)"
	[ -n "$two" ] && [ $((two - one)) -eq 2000000 ]
	result $? "twice the turns are exactly 2 000 000 more (${two:-none})"
	[ -n "$cycles" ] && [ "$cycles" -ge 2000000 ]
	result $? "cycles are counted (${cycles:-none})"
	grep -q "^dtlb" figures
	result $? "an event that the processor lacks is a figure or a reason: $(sed -n 's/^dtlb //p' figures)"
	exit 0
fi

plan 9
counted_everywhere
between "$one" 1 999999999 && between "$cycles" 1 999999999
result $? "instructions (${one:-none}) and cycles (${cycles:-none}) are counted"
between "$dtlb" 2048 2064
result $? "a walk over 2048 pages misses the dTLB for each (${dtlb:-none} with two readings)"
if [ -z "$analysed" ]; then
	for name in "an analysis in the guest" "the event" "the walking loop" "the other loop"; do
		skip "$name" "$(grep -m 1 'error:\|undefined reference\|psc_instrument:' prepare.log || tail -n 1 prepare.log)"
	done
	exit 0
fi
# The machine may be so busy that a loop is too brief for markers, or has less than the part of the time that is looked at:
# the guest analyses three times, and the first analysis that knows both loops is taken.
loop() { sed -n "/long $1(/,/^}/{/for (/=;}" "$srcdir/tests/qemu/walk.c"; }
misses() { sed -n "s/^report$1: *[0-9]*  \([0-9]*\) dTLB misses at $2$/\1/p" figures; }
for try in 1 2 3; do
	walked=$(misses $try "$(loop walk)")
	stayed=$(misses $try "$(loop stay)")
	[ -z "$walked" ] || [ -z "$stayed" ] || break
done
grep -qx "status$try 0" figures
result $? "the plugin's program, monitor, agent and front end analyse in the guest (analysis $try)"
grep "^report$try:" figures | sed 's/^report[0-9]: *//' | tr '\n' ' ' | grep -q "dtlb_read_miss by dTLB-load-misses:u"
result $? "the misses are counted by dTLB-load-misses"
# The loops have the same accesses and markers: what is more is the walk's 2047 further pages.
[ -n "$walked" ] && [ -n "$stayed" ] && between $((walked - stayed + 1)) 2032 2064
result $? "the loop over 2048 pages misses for each (${walked:-none}; the same on one page ${stayed:-none})"
between "$stayed" 1 40
result $? "the loop on one page does not (${stayed:-none}, those of the markers)"
