/* SPDX-License-Identifier: BSD-3-Clause */
/* Part of stubmon.c: the hooks by mark, in terms of those by unit and region. */
static const struct psc_mark *known(const struct psc_mark *m)
{
	if (!m->unit || m != &psc_unit_marks(m->unit)[m->index])
		complain("a mark is wrong");
	return m;
}

/* What a hook leaves behind. */
static void room(void)
{
	if (psc_cur >= psc_end)
		__psc_flush();
}

void __psc_mark_enter(struct psc_mark *m)
{
	__psc_enter(known(m)->unit, m->index);
	room();
}

void __psc_mark_exit(struct psc_mark *m)
{
	__psc_exit(known(m)->unit, m->index);
	room();
}

void __psc_mark_step(struct psc_mark *m)
{
	__psc_mark_exit(m);
	__psc_mark_enter(m + 1);
}

uint64_t __psc_mark_fork(struct psc_mark *m)
{
	uint64_t token = __psc_fork(known(m)->unit, m->index);

	room();
	return token;
}

void __psc_mark_team(struct psc_mark *m, uint64_t token)
{
	__psc_team_enter(known(m)->unit, m->index, token);
	room();
}

void __psc_mark_begin(struct psc_mark *m)
{
	__psc_phase_begin(known(m)->unit, m->index);
	room();
}

uint64_t __psc_fork_begin(struct psc_mark *m)
{
	__psc_mark_begin(m);
	return __psc_mark_fork(m);
}

void __psc_mark_call(struct psc_mark *m)
{
	__psc_phase_call(known(m)->unit, m->index);
	room();
}

void __psc_mark_next(struct psc_mark *m)
{
	__psc_phase_next(known(m)->unit, m->index);
	room();
}

void __psc_mark_end(struct psc_mark *m)
{
	__psc_phase_end(known(m)->unit, m->index, 0);
	room();
}

void __psc_mark_void(struct psc_mark *m)
{
	__psc_phase_end(known(m)->unit, m->index, 1);
	room();
}

void __psc_sub_begin(struct psc_mark *m)
{
	__psc_mark_begin(m);
	__psc_mark_enter(m);
}

void __psc_sub_end(struct psc_mark *m)
{
	__psc_mark_exit(m);
	__psc_mark_end(m);
}

void __psc_loop_begin(struct psc_mark *m)
{
	__psc_mark_enter(m);
	__psc_mark_begin(m);
}

void __psc_loop_end(struct psc_mark *m)
{
	__psc_mark_end(m);
	__psc_mark_exit(m);
}

void __psc_loop_void(struct psc_mark *m)
{
	__psc_mark_void(m);
	__psc_mark_exit(m);
}

void __psc_mark_wait(struct psc_mark *m)
{
	__psc_wait(known(m)->unit, m->index);
	room();
}

void __psc_mark_barrier(struct psc_mark *m)
{
	__psc_barrier(known(m)->unit, m->index);
	room();
}

void __psc_mark_waited(struct psc_mark *m)
{
	__psc_waited(known(m)->unit, m->index);
	room();
}

/* The regions inside were not left by themselves. */
void __psc_mark_close(struct psc_mark *m)
{
	uint32_t region = known(m)->unit->base + m->index;
	int inside = 0;

	while (depth > 0 && depth <= 1000 && stack[depth - 1] != region) {
		add(&counts[stack[--depth]].exit, 1);
		inside++;
	}
	if (depth <= 1000 && (!inside || depth == 0))
		complain("nothing inside is to be closed");
	__psc_mark_exit(m);
}

void __psc_sub_close(struct psc_mark *m)
{
	__psc_mark_close(m);
	__psc_mark_end(m);
}

static void bind_all(const struct psc_mark *m, va_list addresses)
{
	const struct psc_dummy *d = known(m)->unit->dummies;

	for (uint32_t i = m->dummy; i < m->unit->ndummies && d[i].region == m->index; i++)
		if (d[i].size != PSC_SIZE_TOLD)
			__psc_bind(m->unit, i, va_arg(addresses, const void *), d[i].size);
}

void __psc_bind_all(struct psc_unit *unit, uint32_t region, ...)
{
	va_list addresses;

	va_start(addresses, region);
	bind_all(&psc_unit_marks(unit)[region], addresses);
	va_end(addresses);
}

void __psc_mark_bind(struct psc_mark *m, ...)
{
	va_list addresses;

	va_start(addresses, m);
	bind_all(m, addresses);
	va_end(addresses);
}

void __psc_enter_bind(struct psc_mark *m, ...)
{
	va_list addresses;

	__psc_mark_enter(m);
	va_start(addresses, m);
	bind_all(m, addresses);
	va_end(addresses);
}

void __psc_sub_bind(struct psc_mark *m, ...)
{
	va_list addresses;

	__psc_sub_begin(m);
	va_start(addresses, m);
	bind_all(m, addresses);
	va_end(addresses);
}
