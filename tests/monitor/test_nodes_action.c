/* SPDX-License-Identifier: BSD-3-Clause */
/* The actions on memory nodes, with a kernel that is made up: it has two nodes and ten pages, or
 * a hundred. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "monitor/address/object_pages.h"
#include "monitor/host/syscall_filter.h"
#include "monitor/trial/action.h"
#include "monitor/trial/pagemap.h"

enum { PAGES = 10, MANY = 100, FIRST = 0x100000, GAP = 0x40000, PAGE = 4096 };
static int node[MANY];          /* of each page; -2: it is not in memory */
static unsigned pages;
static bool together;           /* with a page, all move */
static int room;                /* pages that node 1 still takes */
static unsigned long allowed;
static int calls, busy;         /* busy: so many moves of page 0 fail */
static bool large;              /* large pages map all */
static struct pscm_span range[2] = {
	{ .lo = FIRST, .hi = FIRST + 4 * PAGE }, { .lo = FIRST + GAP,
		.hi = FIRST + GAP + 6 * PAGE } };
static struct mon_trial out;

bool sandbox_around(void) { return false; }

int pagemap_open(void) { return 7; }
void pagemap_close(int fd) { (void)fd; }

int64_t pagemap_large(int fd, uint64_t lo, uint64_t hi)
{
	return fd < 0 ? -1 : large ? (int64_t)(hi - lo) : 0;
}

bool object_pages_find(uint32_t object, uint64_t page, struct object_pages *p)
{
	(void)object;
	*p = (struct object_pages){ .range = range, .n = 2, .pages = pages, .bytes = pages * page };
	return true;
}

void object_pages_free(struct object_pages *p) { *p = (struct object_pages){ 0 }; }

static int *page_at(const void *address)
{
	const uintptr_t at = (uintptr_t)address;

	return at >= FIRST + GAP ? &node[4 + (at - FIRST - GAP) / PAGE] : &node[(at - FIRST) / PAGE];
}

static long move(unsigned long n, void **page, const int *to, int *status)
{
	calls++;
	for (unsigned long i = 0; i < n; i++) {
		int *p = page_at(page[i]);

		if (to && *p >= 0 && *p != to[i]) {
			if (to[i] == 1 && !room) {
				errno = ENOMEM;
				return -1;
			}
			if (p == node && busy) {
				busy--;
				status[i] = -EBUSY;
				continue;
			}
			room -= to[i] == 1;
			*p = to[i];
			for (unsigned k = 0; together && k < pages; k++)
				node[k] = to[i];
		}
		status[i] = *p;
	}
	return 0;
}

long __wrap_syscall(long number, ...);
long __wrap_syscall(long number, ...)
{
	va_list a;
	long result = -1;

	va_start(a, number);
	if (number == SYS_move_pages) {
		(void)va_arg(a, int);
		const unsigned long n = va_arg(a, unsigned long);
		void **page = va_arg(a, void **);
		const int *to = va_arg(a, const int *);

		result = move(n, page, to, va_arg(a, int *));
	} else if (number == SYS_get_mempolicy) {
		(void)va_arg(a, int *);
		*va_arg(a, unsigned long *) = allowed;
		result = 0;
	} else if (number == SYS_getcpu) {
		(void)va_arg(a, unsigned *);
		*va_arg(a, unsigned *) = 0;
		result = 0;
	}
	va_end(a);
	return result;
}

static enum mon_trial_refusal can(const struct trial_action *a, uint32_t to)
{
	const struct mon_request r = { .action = a->action, .object = MON_OBJ_FIRST, .node = to };

	out = (struct mon_trial){ 0 };
	return a->can(&r, &out);
}

static int set_up(void **state)
{
	(void)state;
	memset(node, 0, sizeof node);
	room = pages = PAGES;
	range[1].hi = FIRST + GAP + (PAGES - 4) * PAGE;
	together = false;
	allowed = 3;
	busy = 0;
	large = false;
	return 0;
}

static void assert_nodes(const char *what)
{
	for (int i = 0; i < PAGES; i++)
		assert_int_equal(node[i], what[i] == '-' ? -2 : what[i] - '0');
}

static void pages_are_on_all_nodes_in_turn_and_go_back(void **state)
{
	int failed;

	(void)state;
	node[2] = -2;
	assert_int_equal(can(&trial_interleave, 0), MON_TRIAL_DONE);
	assert_int_equal(out.pages, 5);
	assert_nodes("00-0000000");
	assert_true(trial_interleave.to_b(UINT64_MAX));
	assert_nodes("01-1010101");
	assert_int_equal(trial_interleave.moved(&failed), 5);
	assert_true(trial_interleave.to_a(UINT64_MAX));
	assert_nodes("00-0000000");
	trial_interleave.verify(&out);
	assert_true(!out.left && !out.strayed);
}

static void pages_are_on_one_node_and_each_goes_home(void **state)
{
	(void)state;
	node[3] = 1;
	assert_int_equal(can(&trial_bind, 1), MON_TRIAL_DONE);
	assert_int_equal(out.pages, 9);
	trial_bind.to_b(UINT64_MAX);
	assert_nodes("1111111111");
	trial_bind.put_back();
	assert_nodes("0001000000");
	assert_int_equal(can(&trial_local, 0), MON_TRIAL_DONE);
	trial_local.to_b(UINT64_MAX);
	assert_nodes("0000000000");
	trial_local.put_back();
	assert_nodes("0001000000");
}

static void a_node_that_is_full_gets_some(void **state)
{
	int failed;

	(void)state;
	room = 3;
	assert_int_equal(can(&trial_bind, 1), MON_TRIAL_DONE);
	assert_true(trial_bind.to_b(UINT64_MAX));
	assert_int_equal(trial_bind.moved(&failed), 0);         /* the call failed */
	assert_int_equal(failed, ENOMEM);
	trial_bind.put_back();
	assert_nodes("0000000000");
}

static void pages_that_the_kernel_moves_back_are_counted(void **state)
{
	(void)state;
	assert_int_equal(can(&trial_bind, 1), MON_TRIAL_DONE);
	trial_bind.to_b(UINT64_MAX);
	node[4] = node[5] = 0;
	trial_bind.to_a(UINT64_MAX);
	trial_bind.verify(&out);
	assert_int_equal(out.strayed, 2);
	assert_int_equal(out.left, 0);
	node[7] = 1;
	trial_bind.verify(&out);
	assert_int_equal(out.left, 1);
}

static void what_cannot_be_is_refused_without_a_move(void **state)
{
	(void)state;
	allowed = 1;
	assert_int_equal(can(&trial_interleave, 0), MON_TRIAL_ONE_NODE);
	allowed = 5;
	assert_int_equal(can(&trial_bind, 1), MON_TRIAL_NO_NODE);
	allowed = 3;
	assert_int_equal(can(&trial_bind, 0), MON_TRIAL_PLACED);
	assert_nodes("0000000000");
}

static void the_small_pages_of_a_large_one_go_to_one_node(void **state)
{
	int failed;

	(void)state;
	large = true;           /* both ranges lie in the page of 2 MiB at 0 */
	assert_int_equal(can(&trial_interleave, 0), MON_TRIAL_PLACED);
	node[0] = 1;
	assert_int_equal(can(&trial_interleave, 0), MON_TRIAL_DONE);
	trial_interleave.to_b(UINT64_MAX);
	assert_nodes("0000000000");
	assert_int_equal(trial_interleave.moved(&failed), 1);
	trial_interleave.put_back();
	assert_nodes("1000000000");
}

/* The first call moves fewer pages than a large one has. */
static void pages_that_move_with_others_are_noted_before(void **state)
{
	int failed;

	(void)state;
	room = pages = MANY;
	range[1].hi = FIRST + GAP + (MANY - 4) * PAGE;
	large = together = true;
	assert_int_equal(can(&trial_bind, 1), MON_TRIAL_DONE);
	trial_bind.to_b(UINT64_MAX);
	assert_int_equal(trial_bind.moved(&failed), MANY);
	trial_bind.to_a(UINT64_MAX);
	trial_bind.verify(&out);
	assert_int_equal(out.pages, MANY);
	assert_int_equal(out.left, 0);
	node[MANY - 1] = 1;
	trial_bind.verify(&out);
	assert_int_equal(out.left, 1);
}

static void a_page_that_is_busy_is_put_back_later(void **state)
{
	(void)state;
	assert_int_equal(can(&trial_bind, 1), MON_TRIAL_DONE);
	trial_bind.to_b(UINT64_MAX);
	busy = 2;
	trial_bind.put_back();
	assert_nodes("0000000000");
	room = PAGES;
	assert_int_equal(can(&trial_bind, 1), MON_TRIAL_DONE);
	trial_bind.to_b(UINT64_MAX);
	busy = 100;
	trial_bind.put_back();
	assert_nodes("1000000000");
	trial_bind.verify(&out);
	assert_int_equal(out.left, 1);
	assert_int_equal(out.pages, 10);
}

static void a_switch_that_is_cut_short_leaves_nothing(void **state)
{
	(void)state;
	node[3] = 1;
	assert_int_equal(can(&trial_bind, 1), MON_TRIAL_DONE);
	trial_bind.put_back();          /* before any switch */
	assert_nodes("0001000000");
	trial_bind.to_b(0);
	trial_bind.put_back();
	assert_nodes("0001000000");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(pages_are_on_all_nodes_in_turn_and_go_back, set_up),
		cmocka_unit_test_setup(pages_are_on_one_node_and_each_goes_home, set_up),
		cmocka_unit_test_setup(a_node_that_is_full_gets_some, set_up),
		cmocka_unit_test_setup(pages_that_the_kernel_moves_back_are_counted, set_up),
		cmocka_unit_test_setup(what_cannot_be_is_refused_without_a_move, set_up),
		cmocka_unit_test_setup(the_small_pages_of_a_large_one_go_to_one_node, set_up),
		cmocka_unit_test_setup(pages_that_move_with_others_are_noted_before, set_up),
		cmocka_unit_test_setup(a_page_that_is_busy_is_put_back_later, set_up),
		cmocka_unit_test_setup(a_switch_that_is_cut_short_leaves_nothing, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
