/* SPDX-License-Identifier: BSD-3-Clause */
/* A plugin for qemu: memory of another node is slow, as on a machine with several sockets.
 *
 * Memory of node 0 lies below `split` and CPU n is on node n.  Only the code of programs at fixed
 * addresses is looked at, so that the machine stays fast.  The interface is declared here:
 * distributions have no header of it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_hwaddr;
typedef void translated(uint64_t id, struct qemu_plugin_tb *block);
typedef void accessed(unsigned cpu, uint32_t info, uint64_t address, void *with);

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, translated *f);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *i, accessed *f, int flags,
	int rights, void *with);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t k);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *i);
struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(uint32_t info, uint64_t address);
bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *h);
uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *h);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

enum { REGISTERS_UNUSED = 0, READS_AND_WRITES = 3, REMOTE_NS = 300 };
static uint64_t split, code_low = 0x400000, code_high = 0x500000;

static void spend(uint64_t ns)
{
	struct timespec t;
	uint64_t from, now;

	clock_gettime(CLOCK_MONOTONIC, &t);
	from = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
	do {
		clock_gettime(CLOCK_MONOTONIC, &t);
		now = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
	} while (now - from < ns);
}

static void on_access(unsigned cpu, uint32_t info, uint64_t address, void *with)
{
	const struct qemu_plugin_hwaddr *h = qemu_plugin_get_hwaddr(info, address);

	(void)with;
	if (h && !qemu_plugin_hwaddr_is_io(h) &&
	    (qemu_plugin_hwaddr_phys_addr(h) >= split) != (cpu > 0))
		spend(REMOTE_NS);
}

static void on_block(uint64_t id, struct qemu_plugin_tb *block)
{
	(void)id;
	for (size_t k = 0; k < qemu_plugin_tb_n_insns(block); k++) {
		struct qemu_plugin_insn *i = qemu_plugin_tb_get_insn(block, k);
		const uint64_t at = qemu_plugin_insn_vaddr(i);

		if (at >= code_low && at < code_high)
			qemu_plugin_register_vcpu_mem_cb(i, on_access, REGISTERS_UNUSED,
				READS_AND_WRITES, NULL);
	}
}

int qemu_plugin_install(uint64_t id, const void *about, int n, char **argument);

/* split=MIB */
__attribute__((visibility("default"))) int qemu_plugin_install(uint64_t id, const void *about,
	int n, char **argument)
{
	(void)about;
	if (n != 1 || strncmp(argument[0], "split=", 6))
		return -1;
	split = strtoull(argument[0] + 6, NULL, 10) << 20;
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_block);
	return 0;
}
