/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs verified code on blocks of contexts: a register is a column with a lane for each context, and
 * an instruction goes over all lanes before the next one.  Sets differ in size, so a loop is run
 * lane by lane with the machine of one context, which verified code allows: nothing jumps into
 * a loop, and all that decides the verdict is outside. */
#include "asl/vm.h"

#define LANES 64                /* at most: what a verdict needs stays in the first cache */
#define ROOM 65536              /* for all columns of a block, on the stack */

/* Columns are one and the same or apart, so that no lane depends on another. */
#if defined(__GNUC__) && !defined(__clang__)
#define EACH_LANE(l, n) _Pragma("GCC ivdep") for (size_t l = 0; l < n; l++)
#else
#define EACH_LANE(l, n) for (size_t l = 0; l < n; l++)
#endif

/* Four lanes at a time in place of two where the processor can (configure): 1.4 times as many contexts a
 * second.  Flat, as only what is inside such a function has the wider version.  No operation
 * rounds differently in it. */
#ifdef WIDER_CLONES
#define WIDER __attribute__((target_clones("avx2", "default"), flatten))
#else
#define WIDER
#endif

struct handles {                /* an object register */
	enum { NOTHING, ONE, SAME, MIXED } kind;
	void *const *p;         /* SAME: all defined and of class cls */
	int cls;
	void *one;              /* ONE: for all lanes, of the declared class */
};

struct block {
	struct job job;
	size_t stride, n;       /* lanes there is room for, and in use */
	const double *num[MAX_NUM];     /* where the column of a register is: its own, or another */
	struct handles obj[MAX_OBJ];
	double *own, *nothing;  /* columns of the number registers; a column of undefined */
	void **own_p;           /* of the object registers that are MIXED, or SAME by chance */
	int *own_cls;
	unsigned *own_cause;
	struct text *text;
	struct set *set;
	double *rate, *holds;   /* holds: 0, 1, NaN */
	uint64_t *alternatives;
	long *steps;
	bool *gone;             /* used its steps up */
	size_t ngone;
	bool rated, decided;    /* a RATE since the last ALT; HOLDS is behind */
	bool measured, severe, confided;        /* these columns of `out` are written */
	struct asl_columns out; /* of this block */
	struct frame lane;
};

static double *own(struct block *b, unsigned reg)
{
	double *column = b->own + reg * b->stride;

	b->num[reg] = column;
	return column;
}

/* The same with what the register holds. */
static double *keep(struct block *b, unsigned reg)
{
	const double *now = b->num[reg];
	double *column = own(b, reg);

	if (now != column)
		memcpy(column, now, b->n * sizeof *column);
	return column;
}

static void fill(double *column, size_t n, double x)
{
	for (size_t l = 0; l < n; l++)
		column[l] = x;
}

static bool runs(const struct block *b, size_t l)
{
	return !b->gone[l] && (!b->decided || b->holds[l] == 1);
}

/* --- objects --- */
static struct object object(const struct block *b, unsigned reg, size_t l)
{
	const struct handles *o = &b->obj[reg];
	size_t at = reg * b->stride + l;

	switch (o->kind) {
	case ONE:
		return (struct object){ o->one, b->job.code->obj_class[reg], 0 };
	case SAME:
		return (struct object){ o->p[l], o->cls, 0 };
	case MIXED:
		return (struct object){ b->own_p[at], b->own_cls[at], b->own_cause[at] };
	default:
		return (struct object){ NULL, b->job.code->obj_class[reg], 0 };
	}
}

static void put_object(struct block *b, unsigned reg, size_t l, struct object o)
{
	size_t at = reg * b->stride + l;

	b->own_p[at] = (void *)(uintptr_t)o.p;
	b->own_cls[at] = o.cls;
	b->own_cause[at] = o.cause;
}

/* Every lane in the register's own column, so that they can be written one by one. */
static void mix(struct block *b, unsigned reg)
{
	for (size_t l = 0; l < b->n; l++)
		put_object(b, reg, l, object(b, reg, l));
	b->obj[reg].kind = MIXED;
}

/* After they were: all of one class can be asked for together. */
static void settle(struct block *b, unsigned reg)
{
	void *const *p = b->own_p + reg * b->stride;
	const int *cls = b->own_cls + reg * b->stride;
	bool same = true;

	for (size_t l = 0; l < b->n; l++)
		same &= p[l] && cls[l] == cls[0];
	b->obj[reg].kind = same ? SAME : MIXED;
	b->obj[reg].p = p;
	b->obj[reg].cls = cls[0];
}

/* --- the environment's answers --- */
/* Of a finite x the difference is a zero without a sign: no bit is set. */
static bool all_finite(const double *x, size_t n)
{
	uint64_t bad = 0;

	for (size_t l = 0; l < n; l++) {
		double nothing = x[l] - x[l];
		uint64_t bits;

		memcpy(&bits, &nothing, sizeof bits);
		bad |= bits;
	}
	return !bad;
}

/* ATTR of objects of one class, where the environment has columns. */
static bool read_column(struct block *b, const struct insn *i, unsigned at)
{
	const struct asl_env *env = b->job.env;
	const struct handles *o = &b->obj[i->b];
	const size_t n = b->n;
	const double *got;
	double *to;

	if (i->op != OP_ATTR || o->kind != SAME || !env->numbers)
		return false;
	to = own(b, i->a);
	got = env->numbers(env->arg, o->cls, o->p, n, b->job.prog->reads[i->c].attr, to);
	if (!got)
		return false;
	if (all_finite(got, n)) {
		b->num[i->a] = got;
		return true;
	}
	EACH_LANE(l, n)
		to[l] = asl_is_finite(got[l]) ? got[l] : asl_undefined(at);
	return true;
}

static void read_numbers(struct block *b, const struct insn *i, unsigned at)
{
	bool indexed = i->op == OP_ATTRI || i->op == OP_SAMPLESI || i->op == OP_COVERAGEI;
	const double *index = b->num[i->a];
	double *to;

	if (read_column(b, i, at))
		return;
	to = own(b, i->a);
	if (b->obj[i->b].kind == ONE && !indexed) {
		fill(to, b->n, asl_read_number(&b->job, i, object(b, i->b, 0), -1, at));
		return;
	}
	for (size_t l = 0; l < b->n; l++)
		if (runs(b, l))
			to[l] = asl_read_number(&b->job, i, object(b, i->b, l), indexed ? index[l] : -1, at);
		else
			to[l] = asl_undefined(0);
}

static void read_objects(struct block *b, const struct insn *i, unsigned at)
{
	const struct object none = { NULL, b->job.code->obj_class[i->a], 0 };

	if (i->a == i->b)
		mix(b, i->a);
	for (size_t l = 0; l < b->n; l++)
		put_object(b, i->a, l, runs(b, l)
			? asl_read_object(&b->job, i, object(b, i->b, l), at) : none);
	settle(b, i->a);
}

static void read_texts_and_sets(struct block *b, const struct insn *i, unsigned at)
{
	for (size_t l = 0; l < b->n; l++) {
		size_t to = i->a * b->stride + l;

		if (!runs(b, l))
			continue;
		if (i->op == OP_ATTRT)
			b->text[to] = asl_read_text(&b->job, i, object(b, i->b, l), at);
		else
			asl_read_set(&b->job, i, object(b, i->b, l), at, &b->set[to]);
	}
}

/* --- operations on others than numbers, all of them rare --- */
static void operate_on_objects(struct block *b, const struct insn *i, unsigned at)
{
	const double *choice = i->op == OP_MOVO ? NULL : b->num[i->b];
	struct object o;

	mix(b, i->a);
	for (size_t l = 0; l < b->n; l++) {
		o = object(b, i->a, l);
		o = i->op == OP_MOVO ? object(b, i->b, l)
			: i->op == OP_SELO ? asl_select_object(choice[l], o, object(b, i->c, l))
			: asl_unique_object(choice[l], o, at);
		put_object(b, i->a, l, o);
	}
	settle(b, i->a);
}

static void operate_on_texts(struct block *b, const struct insn *i)
{
	struct text *to = b->text + i->a * b->stride;

	for (size_t l = 0; l < b->n; l++)
		if (i->op == OP_LOADT)
			to[l] = (struct text){ b->job.prog->texts[i->b], 0 };
		else if (i->op == OP_MOVT)
			to[l] = b->text[i->b * b->stride + l];
		else
			to[l] = asl_select_text(b->num[i->b][l], to[l], b->text[i->c * b->stride + l]);
}

static void compare_others(struct block *b, const struct insn *i)
{
	double *to = own(b, i->a);

	for (size_t l = 0; l < b->n; l++) {
		double x = i->op == OP_EQO || i->op == OP_NEO
			? asl_same_object(object(b, i->b, l), object(b, i->c, l))
			: asl_same_text(b->text[i->b * b->stride + l], b->text[i->c * b->stride + l]);

		to[l] = i->op == OP_NEO || i->op == OP_NET ? asl_not(x) : x;
	}
}

static void deviate(struct block *b, const struct insn *i, unsigned at)
{
	if (i->op == OP_STDACC) {
		double *mean = keep(b, i->a), *squares = keep(b, i->a + 1u), *count = keep(b, i->a + 2u);
		const double *x = b->num[i->b];

		for (size_t l = 0; l < b->n; l++)
			asl_std_take(mean + l, squares + l, count + l, x[l]);
	} else {
		const double *mean = b->num[i->b], *squares = b->num[i->b + 1], *count = b->num[i->b + 2];
		double *to = own(b, i->a);

		for (size_t l = 0; l < b->n; l++)
			to[l] = asl_std_give(mean[l], squares[l], count[l], at);
	}
}

/* --- loops --- */
struct used {                   /* registers within a loop */
	int n[4];
	uint16_t reg[4][MAX_NUM];
};
enum { NUM, OBJ, TEXT, SET };

static void use(struct used *u, bool (*seen)[MAX_NUM], int kind, unsigned reg)
{
	if (seen[kind][reg])
		return;
	seen[kind][reg] = true;
	u->reg[kind][u->n[kind]++] = (uint16_t)reg;
}

static void find_used(const struct insn *i, const struct insn *end, struct used *u)
{
	bool seen[4][MAX_NUM] = { { false } };

	memset(u->n, 0, sizeof u->n);
	for (; i < end; i++) {
		const unsigned v[] = { i->a, i->b, i->c };

		for (int k = 0; k < 3; k++)
			switch (asl_ops[i->op].operands[k]) {
			case 'W':
				use(u, seen, NUM, v[k] + 2);
				use(u, seen, NUM, v[k] + 1);
				use(u, seen, NUM, v[k]);
				break;
			case 'N': use(u, seen, NUM, v[k]); break;
			case 'O': use(u, seen, OBJ, v[k]); break;
			case 'T': use(u, seen, TEXT, v[k]); break;
			case 'S': use(u, seen, SET, v[k]); break;
			default: break;
			}
	}
}

static void take_lane(struct block *b, const struct used *u, size_t l)
{
	struct frame *f = &b->lane;

	for (int k = 0; k < u->n[NUM]; k++)
		f->num[u->reg[NUM][k]] = b->own[u->reg[NUM][k] * b->stride + l];
	for (int k = 0; k < u->n[OBJ]; k++)
		f->obj[u->reg[OBJ][k]] = object(b, u->reg[OBJ][k], l);
	for (int k = 0; k < u->n[TEXT]; k++)
		f->text[u->reg[TEXT][k]] = b->text[u->reg[TEXT][k] * b->stride + l];
	for (int k = 0; k < u->n[SET]; k++)
		f->set[u->reg[SET][k]] = b->set[u->reg[SET][k] * b->stride + l];
	f->steps = b->steps[l];
}

static void give_lane(struct block *b, const struct used *u, size_t l)
{
	const struct frame *f = &b->lane;

	for (int k = 0; k < u->n[NUM]; k++)
		b->own[u->reg[NUM][k] * b->stride + l] = f->num[u->reg[NUM][k]];
	for (int k = 0; k < u->n[OBJ]; k++)
		put_object(b, u->reg[OBJ][k], l, f->obj[u->reg[OBJ][k]]);
	for (int k = 0; k < u->n[TEXT]; k++)
		b->text[u->reg[TEXT][k] * b->stride + l] = f->text[u->reg[TEXT][k]];
	for (int k = 0; k < u->n[SET]; k++)
		b->set[u->reg[SET][k] * b->stride + l] = f->set[u->reg[SET][k]];
	b->steps[l] = f->steps;
}

/* From the LOOP at pc to behind its end. */
static unsigned run_loop(struct block *b, unsigned pc)
{
	const struct insn *code = b->job.code->insn;
	unsigned end = code[pc].c;
	struct used u;

	find_used(code + pc, code + end, &u);
	for (int k = 0; k < u.n[NUM]; k++)
		keep(b, u.reg[NUM][k]);
	for (int k = 0; k < u.n[OBJ]; k++)
		mix(b, u.reg[OBJ][k]);
	for (size_t l = 0; l < b->n; l++) {
		if (!runs(b, l))
			continue;
		take_lane(b, &u, l);
		if (!asl_run_frame(&b->lane, pc, end)) {
			b->gone[l] = true;
			b->ngone++;
		}
		give_lane(b, &u, l);
	}
	for (int k = 0; k < u.n[OBJ]; k++)
		settle(b, u.reg[OBJ][k]);
	return end;
}

/* --- verdicts: in small functions of values, which have no branch that a vector could not take --- */
static inline double kleene(double before, double x)
{
	double other = isnan(x) ? x : 0, weak = isnan(before) ? before : other;

	return before == 1 || x == 1 ? 1 : weak;
}

static inline double truth(double holds)
{
	double otherwise = isnan(holds) ? ASL_UNDECIDED : ASL_FALSE;

	return holds == 1 ? ASL_TRUE : otherwise;
}

static inline double if_holds(double holds, double x)
{
	return holds == 1 ? x : NAN;
}

static void measure(struct block *b, const double *x, unsigned number)
{
	const double *rate = b->rated ? b->rate : b->nothing;
	double *const to = b->out.measure;
	const size_t n = b->n;

	if (number != 0 && !b->measured)
		fill(to, n, NAN);
	b->measured = true;
	if (number == 0)
		EACH_LANE(l, n)
			to[l] = isnan(rate[l]) ? NAN : rate[l];
	else
		for (size_t l = 0; l < n; l++)
			if (x[l] == 1 && b->holds[l] != 1)
				to[l] = isnan(rate[l]) ? NAN : rate[l];
}

static void alternative(struct block *b, const double *x, unsigned number)
{
	const uint64_t bit = (uint64_t)1 << number;
	uint64_t *const held = b->alternatives;
	double *const holds = b->holds;
	const size_t n = b->n;

	if (b->out.measure)
		measure(b, x, number);
	b->rated = false;
	EACH_LANE(l, n) {
		uint64_t now = x[l] == 1 ? bit : 0;

		held[l] |= now;
	}
	EACH_LANE(l, n)
		holds[l] = kleene(holds[l], x[l]);
}

/* Of the lanes that used their steps up, whatever was said of them before. */
static void undecide(struct block *b)
{
	for (size_t l = 0; l < b->n; l++) {
		if (!b->gone[l])
			continue;
		b->holds[l] = NAN;
		b->alternatives[l] = 0;
		if (b->out.holds)
			b->out.holds[l] = ASL_UNDECIDED;
		if (b->out.severity)
			b->out.severity[l] = NAN;
		if (b->out.confidence)
			b->out.confidence[l] = NAN;
		if (b->out.measure)
			b->out.measure[l] = NAN;
	}
}

static bool any_holds(const double *holds, size_t n)
{
	size_t l = 0;

	while (l < n && holds[l] != 1)
		l++;
	return l < n;
}

/* True when the property holds for any, and something is still to be said of it. */
static bool decide(struct block *b)
{
	double *const holds = b->holds;
	uint8_t *const to = b->out.holds;
	const size_t n = b->n;
	bool any;

	if (b->ngone)
		undecide(b);
	b->decided = true;
	any = any_holds(holds, n);
	if (to)
		EACH_LANE(l, n)
			to[l] = (uint8_t)(int)truth(holds[l]);
	return any && (b->out.severity || b->out.confidence || b->job.code->nset);
}

static void entry(struct block *b, const struct insn *i)
{
	const double *const x = b->num[i->b], *const now = b->num[i->a];
	double *const to = own(b, i->a);
	const uint64_t bit = i->c == ALT_ALWAYS ? UINT64_MAX : (uint64_t)1 << i->c;
	const uint64_t *const held = b->alternatives;
	const size_t n = b->n;

	EACH_LANE(l, n) {
		double old = now[l], most = asl_larger(old, x[l]);

		to[l] = held[l] & bit ? most : old;
	}
}

static void set_severity(struct block *b, const double *x)
{
	const double *const holds = b->holds;
	double *const to = b->out.severity;
	const size_t n = b->n;

	b->severe = true;
	if (to)
		EACH_LANE(l, n)
			to[l] = if_holds(holds[l], asl_severity(x[l]));
}

static void set_confidence(struct block *b, const double *x)
{
	const double *const holds = b->holds;
	double *const to = b->out.confidence;
	const size_t n = b->n;

	b->confided = true;
	if (to)
		EACH_LANE(l, n)
			to[l] = if_holds(holds[l], asl_confidence(x[l]));
}

/* --- the machine --- */
WIDER static void run(struct block *b)
{
	const struct insn *const code = b->job.code->insn;
	const size_t n = b->n;
	const struct insn *i;
	unsigned pc = 0;

#define A was[l]
#define B x[l]
#define C y[l]
#define AT pc
	for (;;) {
		i = &code[pc++];
		switch ((enum opcode)i->op) {
#define OP(name, operands, meaning)
#define EACH(name, operands, meaning, operation) case OP_##name: { \
			const double *const was = b->num[i->a], *const x = b->num[i->b]; \
			const double *const y = b->num[i->c]; \
			double *const to = own(b, i->a); \
			(void)was, (void)x, (void)y; \
			EACH_LANE(l, n) \
				to[l] = operation; \
			break; \
		}
#include "asl/ops.def"
		case OP_LOADK: fill(own(b, i->a), n, b->job.prog->numbers[i->b]); break;
		case OP_ATTR: case OP_ATTRI: case OP_SAMPLES: case OP_SAMPLESI:
		case OP_COVERAGE: case OP_COVERAGEI:
			read_numbers(b, i, pc);
			break;
		case OP_ATTRO: read_objects(b, i, pc); break;
		case OP_ATTRT: case OP_ATTRS: read_texts_and_sets(b, i, pc); break;
		case OP_RANGE:
			for (size_t l = 0; l < n; l++)
				asl_make_range(b->num[i->b][l], pc, &b->set[i->a * b->stride + l]);
			break;
		case OP_EQO: case OP_NEO: case OP_EQT: case OP_NET: compare_others(b, i); break;
		case OP_MOVO: case OP_SELO: case OP_UNIQO: operate_on_objects(b, i, pc); break;
		case OP_LOADT: case OP_MOVT: case OP_SELT: operate_on_texts(b, i); break;
		case OP_STDACC: case OP_STDFIN: deviate(b, i, pc); break;
		case OP_LOOP: pc = run_loop(b, pc - 1); break;
		case OP_RATE:
			memcpy(b->rate, b->num[i->a], n * sizeof *b->rate);
			b->rated = true;
			break;
		case OP_ALT: alternative(b, b->num[i->a], i->b); break;
		case OP_HOLDS:
			if (!decide(b))
				return;
			break;
		case OP_GMAX: entry(b, i); break;
		case OP_SEV: set_severity(b, b->num[i->a]); break;
		case OP_CONF: set_confidence(b, b->num[i->a]); break;
		/* advice begins, which columns have not, or the end; the rest is within loops and parts */
		case OP_ADVX: case OP_ADVN: case OP_ADVT: case OP_ADVE: case OP_END:
		case OP_NEXT: case OP_NEXTO: case OP_FILTER: case OP_BACK:
		case OP_PART: case OP_GIVE: case OP_COUNT:
			return;
		}
	}
#undef A
#undef B
#undef C
#undef AT
}

/* --- blocks --- */
static size_t lane_bytes(const struct code *code)
{
	return (size_t)code->nnum * sizeof(double) + 4 * sizeof(double) + sizeof(uint64_t) + sizeof(long)
		+ (size_t)code->nobj * (sizeof(void *) + sizeof(int) + sizeof(unsigned))
		+ (size_t)code->ntext * sizeof(struct text) + (size_t)code->nset * sizeof(struct set)
		+ sizeof(bool);
}

static void *carve(char **room, size_t size)
{
	char *p = *room;

	*room += size;
	return p;
}

/* What needs the wider alignment first. */
static void lay_out(struct block *b, char *room)
{
	const struct code *code = b->job.code;
	size_t s = b->stride, nobj = (size_t)code->nobj;

	b->own = carve(&room, (size_t)code->nnum * s * sizeof *b->own);
	b->nothing = carve(&room, s * sizeof *b->nothing);
	b->rate = carve(&room, s * sizeof *b->rate);
	b->holds = carve(&room, s * sizeof *b->holds);
	b->alternatives = carve(&room, s * sizeof *b->alternatives);
	b->steps = carve(&room, s * sizeof *b->steps);
	b->own_p = carve(&room, nobj * s * sizeof *b->own_p);
	b->text = carve(&room, (size_t)code->ntext * s * sizeof *b->text);
	b->set = carve(&room, (size_t)code->nset * s * sizeof *b->set);
	b->own_cls = carve(&room, nobj * s * sizeof *b->own_cls);
	b->own_cause = carve(&room, nobj * s * sizeof *b->own_cause);
	b->gone = carve(&room, s * sizeof *b->gone);
}

/* All registers begin undefined. */
static void begin(struct block *b, void *const *contexts, void *const *others)
{
	const struct code *code = b->job.code;
	size_t defined = 0;

	for (int r = 0; r < code->nnum; r++)
		b->num[r] = b->nothing;
	for (int r = 0; r < code->nobj; r++)
		b->obj[r].kind = NOTHING;
	while (defined < b->n && contexts[defined])
		defined++;
	b->obj[0] = (struct handles){ SAME, contexts, code->obj_class[0], NULL };
	if (defined < b->n)
		mix(b, 0);
	for (int r = 1; r < code->pub.nparams; r++)
		b->obj[r] = (struct handles){ .kind = ONE, .one = others[r - 1] };
	for (size_t k = 0; k < (size_t)code->ntext * b->stride; k++)
		b->text[k] = (struct text){ NULL, 0 };
	for (size_t k = 0; k < (size_t)code->nset * b->stride; k++)
		b->set[k] = (struct set){ .undefined = asl_undefined(0) };
	for (size_t l = 0; code->nset && l < b->n; l++)
		b->steps[l] = b->job.prog->max_steps;
	fill(b->holds, b->n, 0);
	memset(b->alternatives, 0, b->n * sizeof *b->alternatives);
	memset(b->gone, 0, b->n * sizeof *b->gone);
	b->ngone = 0;
	b->rated = b->decided = false;
	b->measured = b->severe = b->confided = false;
}

/* What was not said. */
static void end(struct block *b)
{
	if (b->out.severity && !b->severe)
		fill(b->out.severity, b->n, NAN);
	if (b->out.confidence && !b->confided)
		fill(b->out.confidence, b->n, NAN);
	if (b->out.measure && !b->measured)
		fill(b->out.measure, b->n, NAN);
	if (b->ngone)
		undecide(b);
}

static void advance(struct asl_columns *out, size_t n)
{
	if (out->holds)
		out->holds += n;
	if (out->severity)
		out->severity += n;
	if (out->confidence)
		out->confidence += n;
	if (out->measure)
		out->measure += n;
	if (out->alternatives)
		out->alternatives += n;
}

/* A property of the whole application, of which there is one. */
static void evaluate_each(const struct asl_program *p, size_t property, const struct asl_env *env,
	void *const *contexts, size_t n, void *const *others, struct asl_columns out)
{
	int nparams = p->props[property].pub.nparams;
	void *objects[MAX_OBJ];
	struct asl_verdict v;

	for (int i = 1; i < nparams; i++)
		objects[i] = others[i - 1];
	for (size_t i = 0; i < n; i++, advance(&out, 1)) {
		objects[0] = contexts[i];
		asl_evaluate(p, property, env, objects, &v);
		if (out.holds)
			*out.holds = v.holds;
		if (out.severity)
			*out.severity = v.severity;
		if (out.confidence)
			*out.confidence = v.confidence;
		if (out.measure)
			*out.measure = v.measure;
		if (out.alternatives)
			*out.alternatives = v.alternatives;
	}
}

void asl_evaluate_all(const struct asl_program *p, size_t property, const struct asl_env *env,
	void *const *contexts, size_t n, void *const *others, const struct asl_columns *out)
{
	_Static_assert(ROOM >= 6 * (MAX_NUM * sizeof(double) + MAX_OBJ * 16 + MAX_TEXT * sizeof(struct text)
		+ MAX_SET * sizeof(struct set) + 64), "any property has some lanes");
	const struct code *code = &p->props[property];
	_Alignas(64) char room[ROOM];
	struct block b = { .job = { p, code, env }, .out = *out };
	size_t lanes = ROOM / lane_bytes(code);

	if (code->nparts) {
		evaluate_each(p, property, env, contexts, n, others, *out);
		return;
	}
	b.lane.job = b.job;
	b.stride = lanes > LANES ? LANES : lanes >= 8 ? lanes & ~(size_t)7 : lanes;
	lay_out(&b, room);
	fill(b.nothing, b.stride, asl_undefined(0));
	for (size_t at = 0; at < n; at += b.n) {
		b.n = n - at < b.stride ? n - at : b.stride;
		if (out->alternatives)
			b.alternatives = b.out.alternatives;
		begin(&b, contexts + at, others);
		run(&b);
		end(&b);
		advance(&b.out, b.n);
	}
}
