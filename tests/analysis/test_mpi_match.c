/* SPDX-License-Identifier: BSD-3-Clause */
/* Who waits for whom, by the numbers of messages and collectives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "analysis/measure/mpi_match.h"
#include "base/mpi_calls.h"

enum { SIDES = 3, ROWS = 8 };
static struct mon_message_row rows[SIDES][ROWS];
static struct mpi_wait waits[SIDES][ROWS];
static uint32_t nrows[SIDES];

static int setup(void **state)
{
	(void)state;
	for (int s = 0; s < SIDES; s++)
		nrows[s] = 0;
	return 0;
}

/* Appends a row that was posted when its call began. */
static struct mon_message_row *row(uint32_t side, uint32_t kind, uint32_t peer, uint64_t number, uint64_t begin,
	uint64_t end)
{
	struct mon_message_row *r = &rows[side][nrows[side]++];

	*r = (struct mon_message_row){ .kind = kind, .peer = peer, .tag = 7, .size = SIDES, .number = number,
		.posted = begin, .begin = begin, .end = end };
	return r;
}

static void match(uint32_t nsides)
{
	struct mpi_side sides[SIDES];
	struct mpi_wait *out[SIDES];

	for (uint32_t s = 0; s < nsides; s++) {
		sides[s] = (struct mpi_side){ s, rows[s], nrows[s], 0 };
		out[s] = waits[s];
	}
	assert_int_equal(mpi_match(sides, nsides, out), 0);
}

static void receive_waits_until_the_send_begins(void **state)
{
	(void)state;
	row(0, PSC_MPI_SEND, 1, 0, 50, 55);
	row(1, PSC_MPI_RECV, 0, 0, 10, 60);
	match(2);
	assert_int_equal(waits[1][0].kind, MPI_WAIT_SENDER);
	assert_true(waits[1][0].matched);
	assert_int_equal(waits[1][0].ns, 40);
	assert_int_equal(waits[1][0].late, 0);
	assert_int_equal(waits[0][0].ns, 0);
}

static void send_waits_no_longer_than_its_call(void **state)
{
	(void)state;
	row(0, PSC_MPI_SEND, 1, 0, 10, 30);
	row(1, PSC_MPI_RECV, 0, 0, 90, 95);
	match(2);
	assert_int_equal(waits[0][0].kind, MPI_WAIT_RECEIVER);
	assert_int_equal(waits[0][0].ns, 20);
	assert_int_equal(waits[0][0].late, 1);
	assert_int_equal(waits[1][0].ns, 0);
}

static void messages_match_by_number_tag_and_communicator(void **state)
{
	(void)state;
	row(0, PSC_MPI_SEND, 1, 1, 70, 71);
	row(0, PSC_MPI_SEND, 1, 0, 20, 21);
	row(0, PSC_MPI_SEND, 1, 0, 90, 91)->tag = 8;
	row(0, PSC_MPI_SEND, 1, 0, 95, 96)->communicator = 4;
	row(1, PSC_MPI_RECV, 0, 0, 10, 100);
	row(1, PSC_MPI_RECV, 0, 1, 101, 102);
	match(2);
	assert_int_equal(waits[1][0].ns, 10);
	assert_int_equal(waits[1][1].ns, 0);
	assert_true(waits[1][1].matched);
	assert_false(waits[0][2].matched);
	assert_false(waits[0][3].matched);
}

static void a_message_without_partner_is_unmatched(void **state)
{
	(void)state;
	row(1, PSC_MPI_RECV, 0, 0, 10, 100);
	row(1, PSC_MPI_RECV, 0, 1, 10, 100)->communicator = PSC_MPI_UNKNOWN;
	row(0, PSC_MPI_SEND, 1, 1, 10, 100)->communicator = PSC_MPI_UNKNOWN;
	match(2);
	assert_false(waits[1][0].matched);
	assert_false(waits[1][1].matched);
	assert_int_equal(waits[1][0].ns, 0);
}

static void a_nonblocking_send_begins_when_it_is_posted(void **state)
{
	(void)state;
	row(0, PSC_MPI_POST, 1, 0, 40, 41);
	row(0, PSC_MPI_SEND, 1, 0, 80, 90)->posted = 40;
	row(1, PSC_MPI_RECV, 0, 0, 10, 60);
	match(2);
	assert_int_equal(waits[1][0].ns, 30);
	assert_int_equal(waits[0][0].kind, MPI_WAIT_NONE);
	assert_int_equal(waits[0][1].ns, 0);
}

static void a_wait_for_a_request_waits_from_its_own_begin(void **state)
{
	(void)state;
	row(0, PSC_MPI_SEND, 1, 0, 50, 55);
	row(1, PSC_MPI_RECV, 0, 0, 45, 60)->posted = 5;
	match(2);
	assert_int_equal(waits[1][0].ns, 5);
	assert_int_equal(waits[0][0].ns, 0);
}

static void a_call_that_completes_several_waits_once(void **state)
{
	(void)state;
	row(0, PSC_MPI_SEND, 2, 0, 50, 51);
	row(1, PSC_MPI_SEND, 2, 0, 70, 71);
	row(2, PSC_MPI_RECV, 0, 0, 10, 80);
	row(2, PSC_MPI_RECV, 1, 0, 10, 80);
	match(3);
	assert_int_equal(waits[2][0].ns + waits[2][1].ns, 60);
	assert_int_equal(waits[2][1].late, 1);
}

static void a_collective_waits_for_the_last(void **state)
{
	(void)state;
	row(0, PSC_MPI_BARRIER, 0, 3, 10, 100);
	row(1, PSC_MPI_BARRIER, 0, 3, 90, 101);
	row(2, PSC_MPI_BARRIER, 0, 3, 30, 102);
	match(3);
	assert_int_equal(waits[0][0].kind, MPI_WAIT_BARRIER);
	assert_int_equal(waits[0][0].ns, 80);
	assert_int_equal(waits[1][0].ns, 0);
	assert_int_equal(waits[2][0].ns, 60);
	assert_int_equal(waits[2][0].late, 1);
}

static void a_rooted_collective_waits_for_the_data_it_needs(void **state)
{
	(void)state;
	row(0, PSC_MPI_DOWN, 1, 0, 10, 100);
	row(1, PSC_MPI_DOWN, 1, 0, 40, 45);
	row(2, PSC_MPI_DOWN, 1, 0, 90, 102);
	row(0, PSC_MPI_UP, 1, 1, 200, 201);
	row(1, PSC_MPI_UP, 1, 1, 210, 300);
	row(2, PSC_MPI_UP, 1, 1, 260, 261);
	match(3);
	assert_int_equal(waits[0][0].ns, 30);
	assert_int_equal(waits[1][0].ns, 0);
	assert_int_equal(waits[2][0].ns, 0);
	assert_int_equal(waits[0][1].ns, 0);
	assert_int_equal(waits[1][1].ns, 50);
	assert_int_equal(waits[1][1].late, 2);
	assert_true(waits[2][1].matched);
}

static void a_collective_of_which_a_member_is_missing_is_unmatched(void **state)
{
	(void)state;
	row(0, PSC_MPI_MEET, 0, 0, 10, 100);
	row(1, PSC_MPI_MEET, 0, 0, 90, 101);
	match(2);
	assert_false(waits[0][0].matched);
	assert_int_equal(waits[0][0].ns, 0);
}

static struct mpi_clock clock_of_host_2(void)
{
	struct mpi_side sides[SIDES];
	struct mpi_clock c = { .host = 2 };

	for (uint32_t s = 0; s < SIDES; s++)    /* the last is on the other host */
		sides[s] = (struct mpi_side){ s, rows[s], nrows[s], s == SIDES - 1 ? 2 : 0 };
	assert_int_equal(mpi_clocks(sides, SIDES, 0, &c, 1), 0);
	return c;
}

/* The other host's clock is 1000 ahead. */
static void messages_bound_the_difference_of_clocks(void **state)
{
	struct mpi_clock c;

	(void)state;
	row(0, PSC_MPI_SEND, 2, 0, 50, 55);
	row(2, PSC_MPI_RECV, 0, 0, 1010, 1060);         /* it arrives 10 after it was sent */
	c = clock_of_host_2();
	assert_int_equal(c.high, 1010);
	assert_true(c.low == INT64_MIN);
	row(2, PSC_MPI_SEND, 1, 0, 1100, 1105);
	row(1, PSC_MPI_RECV, 2, 0, 80, 120);            /* 20 */
	c = clock_of_host_2();
	assert_int_equal(c.low, 980);
	assert_int_equal(c.high, 1010);
}

static void collectives_bound_it_from_both_sides(void **state)
{
	struct mpi_clock c;

	(void)state;
	row(0, PSC_MPI_MEET, 0, 0, 10, 203);
	row(1, PSC_MPI_MEET, 0, 0, 190, 207);
	row(2, PSC_MPI_MEET, 0, 0, 1200, 1206);
	c = clock_of_host_2();
	assert_int_equal(c.low, 1200 - 203);
	assert_int_equal(c.high, 1206 - 190);
}

static void a_broadcast_bounds_it_from_the_roots_side(void **state)
{
	struct mpi_clock c;

	(void)state;
	row(0, PSC_MPI_DOWN, 1, 0, 10, 300);
	row(1, PSC_MPI_DOWN, 1, 0, 200, 210);
	row(2, PSC_MPI_DOWN, 1, 0, 1050, 1220);
	c = clock_of_host_2();
	assert_int_equal(c.high, 1220 - 200);
	assert_true(c.low == INT64_MIN);
	nrows[0] = nrows[1] = nrows[2] = 0;
	row(0, PSC_MPI_UP, 1, 0, 10, 20);
	row(1, PSC_MPI_UP, 1, 0, 200, 310);
	row(2, PSC_MPI_UP, 1, 0, 1300, 1302);
	c = clock_of_host_2();
	assert_int_equal(c.low, 1300 - 310);
	assert_true(c.high == INT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(receive_waits_until_the_send_begins, setup),
		cmocka_unit_test_setup(send_waits_no_longer_than_its_call, setup),
		cmocka_unit_test_setup(messages_match_by_number_tag_and_communicator, setup),
		cmocka_unit_test_setup(a_message_without_partner_is_unmatched, setup),
		cmocka_unit_test_setup(a_nonblocking_send_begins_when_it_is_posted, setup),
		cmocka_unit_test_setup(a_wait_for_a_request_waits_from_its_own_begin, setup),
		cmocka_unit_test_setup(a_call_that_completes_several_waits_once, setup),
		cmocka_unit_test_setup(a_collective_waits_for_the_last, setup),
		cmocka_unit_test_setup(a_rooted_collective_waits_for_the_data_it_needs, setup),
		cmocka_unit_test_setup(a_collective_of_which_a_member_is_missing_is_unmatched, setup),
		cmocka_unit_test_setup(messages_bound_the_difference_of_clocks, setup),
		cmocka_unit_test_setup(collectives_bound_it_from_both_sides, setup),
		cmocka_unit_test_setup(a_broadcast_bounds_it_from_the_roots_side, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
