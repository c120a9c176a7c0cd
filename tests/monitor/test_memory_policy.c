/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules of a placement file, with a kernel that is made up: what it is asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "monitor/address/memory_policy.h"
#include "monitor/host/syscall_filter.h"
#include "tests/monitor/shared_memory.h"

enum { OBJECT = MON_OBJ_FIRST, OTHER, PAGE = 4096, MIB = 1 << 20, LO = 0x40000000 };

static unsigned long allowed;
static bool sandboxed, refuses;
static struct { int calls, mode; uint64_t lo, bytes; unsigned long nodes; } asked;

bool sandbox_around(void)
{
	return sandboxed;
}

long __wrap_syscall(long number, ...);
long __wrap_syscall(long number, ...)
{
	va_list a;

	va_start(a, number);
	if (number == SYS_get_mempolicy) {
		(void)va_arg(a, int *);
		*va_arg(a, unsigned long *) = allowed;
	} else {
		const unsigned long *nodes;

		asked.calls++;
		asked.lo = va_arg(a, uint64_t);
		asked.bytes = va_arg(a, uint64_t);
		asked.mode = va_arg(a, int) | (number == SYS_madvise ? 1000 : 0);
		nodes = number == SYS_mbind ? va_arg(a, const unsigned long *) : NULL;
		asked.nodes = nodes ? *nodes : 0;
	}
	va_end(a);
	errno = EINVAL;
	return refuses && number != SYS_get_mempolicy ? -1 : 0;
}

static struct mon_place *rule(enum mon_action action, uint32_t node, const char *name,
	const char *file,
	uint32_t line)
{
	struct mon_place *p = &pscm_shm->place[pscm_shm->nplaces++];

	p->action = action;
	p->node = node;
	p->line = line;
	snprintf(p->name, sizeof p->name, "%s", name);
	snprintf(p->file, sizeof p->file, "%s", file);
	return p;
}

/* Strings: 1 "data", 10 "/src/dir/points.c", 40 "other". */
static void object(uint32_t n, uint32_t name, uint32_t line)
{
	pscm_shm->objects[n] = (struct mon_object){ .name = name, .unit = 0, .line = line };
	memory_policy_object(n);
}

static int set_up(void **state)
{
	(void)state;
	pscm_shm = shared_memory();
	assert_non_null(pscm_shm);
	strcpy(pscm_shm->strings + 1, "data");
	strcpy(pscm_shm->strings + 10, "/src/dir/points.c");
	strcpy(pscm_shm->strings + 40, "other");
	pscm_shm->units[0].source = 10;
	pscm_shm->machine.nodes.count = 2;
	allowed = 3;
	sandboxed = refuses = false;
	memset(&asked, 0, sizeof asked);
	return memory_policy_start();
}

static int tear_down(void **state)
{
	(void)state;
	shared_memory_free(pscm_shm);
	pscm_shm = NULL;
	return 0;
}

static void whole_pages_of_a_block_get_the_policy(void **state)
{
	struct mon_place *p = rule(MON_ACTION_INTERLEAVE, 0, "data", "points.c", 20);

	(void)state;
	object(OBJECT, 1, 20);
	memory_policy_memory(OBJECT, LO + 16, 4 * MIB);
	assert_int_equal(asked.calls, 1);
	assert_int_equal(asked.mode, 3);
	assert_int_equal(asked.nodes, 3);
	assert_int_equal(asked.lo, LO + PAGE);
	assert_int_equal(asked.bytes, 4 * MIB - PAGE);
	assert_int_equal(atomic_load(&p->blocks), 1);
	assert_int_equal(atomic_load(&p->bytes), 4 * MIB - PAGE);
	memory_policy_memory(OBJECT, LO + 16, PAGE);
	assert_int_equal(asked.calls, 1);
	assert_int_equal(atomic_load(&p->left), 1);
	assert_int_equal(atomic_load(&p->refusal), MON_TRIAL_DONE);
}

static void a_rule_is_for_its_name_file_and_line(void **state)
{
	struct mon_place *file = rule(MON_ACTION_BIND, 1, "data", "oints.c", 0);
	struct mon_place *line = rule(MON_ACTION_BIND, 1, "data", "dir/points.c", 21);
	struct mon_place *name = rule(MON_ACTION_BIND, 1, "dat", "", 0);

	(void)state;
	object(OBJECT, 1, 20);
	object(OTHER, 40, 21);
	assert_int_equal(atomic_load(&file->objects), 0);
	assert_int_equal(atomic_load(&line->objects), 0);
	assert_int_equal(atomic_load(&name->objects), 0);
	memory_policy_memory(OBJECT, LO, MIB);
	assert_int_equal(asked.calls, 0);
	object(OTHER, 1, 21);
	assert_int_equal(atomic_load(&line->objects), 1);
	memory_policy_memory(OTHER, LO, MIB);
	assert_int_equal(asked.mode,
		1);        /* preferred: a full node does not end the program */
	assert_int_equal(asked.nodes, 2);
}

static void the_first_rule_on_nodes_and_the_first_on_large_pages_count(void **state)
{
	struct mon_place *local = rule(MON_ACTION_LOCAL, 0, "data", "", 0);
	struct mon_place *second = rule(MON_ACTION_BIND, 0, "data", "", 0);
	struct mon_place *large = rule(MON_ACTION_LARGE_PAGES, 0, "data", "", 0);

	(void)state;
	object(OBJECT, 1, 20);
	memory_policy_memory(OBJECT, LO, MIB);    /* no whole large page */
	assert_int_equal(asked.calls, 1);
	assert_int_equal(asked.mode, 4);
	assert_int_equal(asked.nodes, 0);
	assert_int_equal(atomic_load(&large->left), 1);
	memory_policy_memory(OBJECT, LO, 4 * MIB);
	assert_int_equal(asked.calls, 3);
	assert_int_equal(asked.mode, 1000 | MADV_HUGEPAGE);
	assert_int_equal(atomic_load(&local->blocks), 2);
	assert_int_equal(atomic_load(&large->blocks), 1);
	assert_int_equal(atomic_load(&second->objects), 1);
	assert_int_equal(atomic_load(&second->blocks), 0);
}

static void what_cannot_be_is_not_asked_for(void **state)
{
	struct mon_place *all = rule(MON_ACTION_INTERLEAVE, 0, "data", "", 0);
	struct mon_place *one = rule(MON_ACTION_BIND, 7, "other", "", 0);

	(void)state;
	object(OBJECT, 1, 20);
	object(OTHER, 40, 20);
	allowed = 1;
	memory_policy_memory(OBJECT, LO, MIB);
	assert_int_equal(atomic_load(&all->refusal), MON_TRIAL_ONE_NODE);
	memory_policy_memory(OTHER, LO, MIB);
	assert_int_equal(atomic_load(&one->refusal), MON_TRIAL_NO_NODE);
	allowed = 3;
	sandboxed = true;
	memory_policy_memory(OBJECT, LO, MIB);
	assert_int_equal(atomic_load(&all->refusal), MON_TRIAL_FORBIDDEN);
	assert_int_equal(asked.calls, 0);
	sandboxed = false;
	refuses = true;
	memory_policy_memory(OBJECT, LO, MIB);
	assert_int_equal(atomic_load(&all->refusal), MON_TRIAL_NOT_MOVED);
	assert_int_equal(atomic_load(&all->left), 3);
	assert_int_equal(atomic_load(&all->blocks), 0);
}

static void smaller_blocks_cannot_use_up_the_mappings(void **state)
{
	struct mon_place *p = rule(MON_ACTION_LOCAL, 0, "data", "", 0);

	(void)state;
	object(OBJECT, 1, 20);
	for (int i = 0; i < 5000; i++)
		memory_policy_memory(OBJECT, LO, 2 * PAGE);
	assert_int_equal(atomic_load(&p->blocks), 4096);
	assert_int_equal(atomic_load(&p->left), 904);
	memory_policy_memory(OBJECT, LO, MIB);
	assert_int_equal(atomic_load(&p->blocks), 4097);
}

static void on_the_model_pages_lie_where_the_rule_says(void **state)
{
	(void)state;
	rule(MON_ACTION_INTERLEAVE, 0, "data", "", 0);
	rule(MON_ACTION_BIND, 1, "other", "", 0);
	object(OBJECT, 1, 20);
	object(OTHER, 40, 20);
	assert_int_equal(memory_policy_node(OBJECT, LO), 0);
	assert_int_equal(memory_policy_node(OBJECT, LO + PAGE), 1);
	assert_int_equal(memory_policy_node(OTHER, LO), 1);
	assert_int_equal(memory_policy_node(OTHER + 1, LO), UINT32_MAX);
	pscm_shm->machine.nodes.count = 1;
	assert_int_equal(memory_policy_node(OTHER, LO), UINT32_MAX);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(whole_pages_of_a_block_get_the_policy),
		TEST(a_rule_is_for_its_name_file_and_line),
		TEST(the_first_rule_on_nodes_and_the_first_on_large_pages_count),
		TEST(what_cannot_be_is_not_asked_for),
		TEST(smaller_blocks_cannot_use_up_the_mappings),
		TEST(on_the_model_pages_lie_where_the_rule_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
