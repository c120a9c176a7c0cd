# SPDX-License-Identifier: BSD-3-Clause
# Three hosts, emulated by root: each has its own network, name (n1, n2, n3), monotonic clock and directory for temporary files.  Sourced; the
# current directory is private.
#   make_hosts DIR   makes them; DIR: each has one of its own there.  false, with $why: it cannot be done here.
#                    Afterwards Open MPI and MPICH reach them without ssh.
#   on_host N COMMAND...
#   end_hosts        in the directory of make_hosts
hosts_net=10.213.$(($$ % 250))
hosts_bridge=psc$$
# What enters a host's clock; empty: the kernel has one clock for all.
hosts_clock=-T
unshare --time --monotonic 1 true 2>/dev/null || hosts_clock=

make_host() {
	ip netns add psc$$n$1 && ip link add psc$$v$1 type veth peer name eth0 netns psc$$n$1 &&
		ip link set psc$$v$1 master $hosts_bridge up && ip -n psc$$n$1 addr add $hosts_net.$1/24 dev eth0 &&
		ip -n psc$$n$1 link set eth0 up && ip -n psc$$n$1 link set lo up || return 1
	# This process holds the host's name, file systems and monotonic clock.
	clock=
	[ -z "$hosts_clock" ] || clock="--time --monotonic $(($1 * 1000 - 1500)) --fork"
	ip netns exec psc$$n$1 unshare --uts --mount $clock -- /bin/sh -c \
		"hostname n$1 && mount -t tmpfs none '$2' && echo \$\$ >'$PWD/pid.n$1' && exec sleep 10000" &
	i=0
	until [ -s pid.n$1 ] || [ $i -gt 600 ]; do sleep 0.1; i=$((i + 1)); done
	[ -s pid.n$1 ]
}

make_hosts() {
	[ "$(id -u)" = 0 ] || { why="hosts can be emulated by root only"; return 1; }
	for tool in ip nsenter unshare; do command -v $tool >/dev/null || { why="no $tool"; return 1; }; done
	{ ip link add $hosts_bridge type bridge && ip addr add $hosts_net.254/24 dev $hosts_bridge && ip link set $hosts_bridge up &&
		make_host 1 "$1" && make_host 2 "$1" && make_host 3 "$1"; } >hosts.log 2>&1 || {
		why="no network namespaces: $(tail -n 1 hosts.log)"
		return 1
	}
	# What Open MPI takes for ssh: options, the host, a command.
	cat >rsh <<-EOF
	#!/bin/sh
	while [ "\${1#-}" != "\$1" ]; do shift; done
	h=\$1
	shift
	exec nsenter -t "\$(cat '$PWD'/pid.\$h)" -n -u -m $hosts_clock -- /bin/sh -c "\$*"
	EOF
	chmod +x rsh
	OMPI_MCA_plm_rsh_agent=$PWD/rsh OMPI_MCA_oob_tcp_if_include=$hosts_net.0/24 OMPI_MCA_btl_tcp_if_include=$hosts_net.0/24
	OMPI_MCA_mpi_yield_when_idle=1  # the hosts share this machine's processors
	export OMPI_MCA_plm_rsh_agent OMPI_MCA_oob_tcp_if_include OMPI_MCA_btl_tcp_if_include OMPI_MCA_mpi_yield_when_idle
	unset OMPI_MCA_mca_base_env_list
	HYDRA_LAUNCHER=rsh HYDRA_LAUNCHER_EXEC=$PWD/rsh HYDRA_IFACE=$hosts_bridge       # the same for MPICH's
	export HYDRA_LAUNCHER HYDRA_LAUNCHER_EXEC HYDRA_IFACE
}

on_host() {
	host=$1
	shift
	nsenter -t "$(cat pid.n$host)" -n -u -m $hosts_clock -- "$@"
}

end_hosts() {
	for i in 1 2 3; do
		[ ! -f pid.n$i ] || kill "$(cat pid.n$i)" 2>/dev/null
		ip netns del psc$$n$i 2>/dev/null
	done
	ip link del $hosts_bridge 2>/dev/null
}
