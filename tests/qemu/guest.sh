# SPDX-License-Identifier: BSD-3-Clause
# Sourced by run.sh and nodes.sh: the kernel and the files of a virtual machine, and its run.  The caller sets arch, qemu (the
# command), console, cc, suite and packages (what else of Debian the guest needs; empty: nothing), wanted (for those who lack it).
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
builddir=$(cd "${builddir:-$PWD}" && pwd)
. "$srcdir/tests/tap.sh"
dir=${PSC_QEMU_DIR:-${HOME:-/tmp}/.cache/periscope/qemu}

# guest_begin: looks for the tools, makes the directory of work, and fetches the kernel where there is none.
guest_begin() {
	for tool in ${qemu%% *} cpio apt-get dpkg-deb timeout; do
		command -v "$tool" >/dev/null || skip_all "no $tool ($wanted)"
	done
	work=$(mktemp -d "${TMPDIR:-/tmp}/psc-qemu-XXXXXX") || exit 99
	trap 'rm -rf "$work"' EXIT
	trap 'exit 1' INT TERM
	root=$work/root sysroot=''
	[ -z "$packages" ] || sysroot=--sysroot=$dir/sysroot-$arch
	if [ ! -f "$dir/kernel-$arch" ]; then
		mkdir -p "$dir" && fetch >"$work/fetch.log" 2>&1 ||
			skip_all "no kernel for $arch in $dir, and none could be fetched: $(tail -n 1 "$work/fetch.log")"
	fi
	mkdir -p "$root/dev" "$root/proc" "$root/sys" "$root/tmp" "$root/lib" "$root/lib64" "$root/psc" && cd "$work" || exit 99
	# shellcheck disable=SC2086
	$cc $sysroot -std=gnu11 -O2 -static -I"$srcdir" -I"$builddir" "$srcdir/tests/qemu/init.c" \
		"$srcdir/monitor/collect/kernel_events.c" "$srcdir/monitor/host/descriptors.c" \
		"$srcdir/monitor/host/syscall_filter.c" "$srcdir/monitor/state.c" -o root/init -lpthread 2>cc.log ||
		skip_all "the compiler does not link: $(tail -n 1 cc.log)"
}

# guest_command WORD...: one more command of the guest
guest_command() {
	printf '%s\n' "$@" '' >>"$root/psc/commands"
}

# guest_run SECONDS: boots it.  figures: what it printed.
guest_run() {
	(cd root && find . | cpio -o -H newc 2>/dev/null) | gzip -1 >initrd
	# shellcheck disable=SC2086
	timeout "$1" $qemu -nographic -nic none -no-reboot -kernel "$dir/kernel-$arch" -initrd initrd \
		-append "console=$console quiet panic=-1 numa_balancing=disable" </dev/null >console 2>&1
	tr -d '\r' <console | sed -n 's/^psc: //p' >figures
}

result() {      # STATUS NAME
	if [ "$1" -eq 0 ]; then ok "$2"; else not_ok "$2" why; fi
}
figure() { sed -n "s/^$1 \([0-9]*\)$/\1/p" figures; }
between() { [ -n "$1" ] && [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; }

# --- what is fetched, once: a kernel, and for an analysis the guest's libraries ----------------------------------

# The machine's own mirror of Debian, with another suite.
sources() {
	site=$(apt-get indextargets --format '$(ORIGIN) $(LABEL) $(COMPONENT) $(CREATED_BY) $(REPO_URI)' |
		sed -n 's/^Debian Debian main Packages //p' | head -n 1)
	[ -n "$site" ] || { echo "no mirror of Debian among the sources of apt"; return 1; }
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $site $suite main" >"$apt/sources.list"
}
# A package manager of its own for another architecture: the machine's is not changed.
fetch() {
	apt=$dir/apt-$arch
	mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$apt/dpkg" "$work/debs" "$work/sysroot/usr/lib" &&
		: >"$apt/dpkg/status" && ln -s usr/lib "$work/sysroot/lib" || return 1
	set -- -qq -o APT::Architecture=$arch -o APT::Architectures=$arch -o Dir::State="$apt/state" -o Dir::Cache="$apt/cache" \
		-o Dir::State::status="$apt/dpkg/status" -o APT::Sandbox::User=root
	[ -z "$suite" ] || { sources && set -- "$@" -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=-; } || return 1
	apt-get "$@" update || return 1
	name=$(apt-cache "$@" depends linux-image-$arch | sed -n 's/^ *Depends: *\(linux-image-.*\)/\1/p' | head -n 1)
	[ -n "$name" ] || { echo "no package linux-image-$arch"; return 1; }
	(cd "$work" && apt-get "$@" download "$name" && dpkg-deb -x linux-image-*.deb image && rm linux-image-*.deb) || return 1
	if [ -n "$packages" ]; then
		# shellcheck disable=SC2086
		names=$(apt-get "$@" -s install --no-install-recommends $packages | sed -n 's/^Inst \([^ ]*\).*/\1/p')
		# shellcheck disable=SC2086
		(cd "$work/debs" && apt-get "$@" download $names && for deb in *.deb; do
			dpkg-deb -x "$deb" ../sysroot || exit 1
		done) || return 1
		rm -rf "$dir/sysroot-$arch" && mv "$work/sysroot" "$dir/sysroot-$arch" || return 1
	fi
	cp "$work"/image/boot/vmlinu[xz]-* "$dir/kernel-$arch.new" && mv "$dir/kernel-$arch.new" "$dir/kernel-$arch"
}
