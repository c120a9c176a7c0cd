/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs verified code on one context. */
#include "asl/vm.h"

/* Standard deviation by Welford's method: adds x to the mean, the sum of squared differences and
 * the count; then the result. */
static void std_take(double *mean, double *squares, double *count, double x)
{
	double d = x - *mean;

	*count += 1;
	*mean += d / *count;
	*squares += d * (x - *mean);
}

static double std_give(double mean, double squares, double count, unsigned at)
{
	if (isnan(mean))
		return mean;
	return count > 0 ? sqrt(squares / count) : asl_undefined(at);
}

static void next_object(struct frame *f, const struct insn *i, unsigned at)
{
	struct set *s = &f->set[i->b];
	struct asl_value v = { .type = ASL_UNDEFINED };

	if (s->value.type == ASL_SET)   /* not a range, whose elements are numbers */
		f->job.env->element(f->job.env->arg, &s->value, s->i, &v);
	s->i++;
	f->obj[i->a] = asl_object_in(&f->job, &v, f->job.code->obj_class[i->a], at);
}

static double read_part(const struct frame *f, const struct insn *i, unsigned at)
{
	double x = asl_part_result(&f->parts[i->b], (enum asl_aggregate)i->c);

	return isnan(x) ? asl_undefined(at) : x;
}

static void give(struct frame *f, double x)
{
	f->out->severity = x;
	if (isnan(x))
		asl_say_undecided(f, x);
}

/* True when the property holds. */
static bool holds(struct frame *f)
{
	struct asl_verdict *out = f->out;

	if (out->alternatives) {
		out->holds = ASL_TRUE;
		return true;
	}
	out->holds = isnan(f->unknown) ? ASL_UNDECIDED : ASL_FALSE;
	if (out->holds == ASL_UNDECIDED)
		asl_say_undecided(f, f->unknown);
	return false;
}

static void alternative(struct frame *f, double x, unsigned number)
{
	struct asl_verdict *out = f->out;

	if (number == 0 || (x == 1 && !out->alternatives))
		out->measure = isnan(f->rate) ? NAN : f->rate;
	f->rate = NAN;
	if (x == 1)
		out->alternatives |= (uint64_t)1 << number;
	else if (isnan(x) && f->unknown == 0)
		f->unknown = x;
}

static void confide(struct frame *f, double x)
{
	f->out->clamped = x < 0 || x > 1;
	f->out->confidence = asl_confidence(x);
}

static void set_undecided(struct asl_verdict *out)
{
	out->holds = ASL_UNDECIDED;
	out->confidence = out->severity = out->measure = NAN;
	out->alternatives = 0;
	out->clamped = false;
	out->figures = false;
	out->why[0] = out->advice[0] = out->undecided[0] = '\0';
}

/* Ends a run that exceeds its steps: undecided, or with its texts cut short when that has
 * begun. */
static void steps_used_up(struct frame *f)
{
	if (!f->advising) {
		set_undecided(f->out);
		asl_say_undecided(f, asl_undefined(STEPS_CAUSE));
	}
}

/* Inlined into two callers: without a trace, the compiler removes every test for one. */
static inline __attribute__((always_inline)) void run_frame(struct frame *f, struct trace *trace)
{
	const struct insn *const code = f->job.code->insn;
	const double *const k = f->job.prog->numbers;
	double *const num = f->num;
	struct object *const obj = f->obj;
	struct vm_text *const txt = f->text;
	const struct insn *i;
	unsigned pc = 0;

#define A num[i->a]
#define B num[i->b]
#define C num[i->c]
#define AT pc
	for (;;) {
		i = &code[pc++];        /* from here on pc is this one's cause */
		if (trace)
			asl_trace(trace, f, i, pc);
		switch ((enum opcode)i->op) {
#define OP(name, operands, meaning)
#define EACH(name, operands, meaning, operation) case OP_##name: A = operation; break;
#include "asl/ops.def"
		case OP_END: return;
		case OP_LOADK: A = k[i->b]; break;
		case OP_LOADT: txt[i->a] = (struct vm_text){ f->job.prog->texts[i->b], 0 }; break;
		case OP_ATTR: A = asl_read(&f->job, i, obj[i->b], -1, pc).number; break;
		case OP_SAMPLES: A = asl_read(&f->job, i, obj[i->b], -1, pc).samples; break;
		case OP_COVERAGE: A = asl_read(&f->job, i, obj[i->b], -1, pc).coverage; break;
		case OP_ATTRI: A = asl_read_at(&f->job, i, obj[i->b], A, pc).number; break;
		case OP_SAMPLESI: A = asl_read_at(&f->job, i, obj[i->b], A, pc).samples; break;
		case OP_COVERAGEI: A = asl_read_at(&f->job, i, obj[i->b], A, pc).coverage; break;
		case OP_ATTRO: obj[i->a] = asl_read_object(&f->job, i, obj[i->b], pc); break;
		case OP_ATTRT: txt[i->a] = asl_read_text(&f->job, i, obj[i->b], pc); break;
		case OP_ATTRS: asl_read_set(&f->job, i, obj[i->b], pc, &f->set[i->a]); break;
		case OP_RANGE: asl_make_range(B, pc, &f->set[i->a]); break;
		case OP_EQO: A = asl_same_object(obj[i->b], obj[i->c]); break;
		case OP_NEO: A = asl_not(asl_same_object(obj[i->b], obj[i->c])); break;
		case OP_EQT: A = asl_same_text(txt[i->b], txt[i->c]); break;
		case OP_NET: A = asl_not(asl_same_text(txt[i->b], txt[i->c])); break;
		case OP_SELO: obj[i->a] = asl_select_object(B, obj[i->a], obj[i->c]); break;
		case OP_SELT: txt[i->a] = asl_select_text(B, txt[i->a], txt[i->c]); break;
		case OP_MOVO: obj[i->a] = obj[i->b]; break;
		case OP_MOVT: txt[i->a] = txt[i->b]; break;
		case OP_LOOP:
			f->set[i->a].i = 0;
			if (!isnan(f->set[i->a].undefined))
				break;
			B = f->set[i->a].undefined;
			pc = i->c;
			break;
		case OP_NEXT:
			if (f->set[i->b].i < f->set[i->b].n) {
				A = (double)f->set[i->b].i++;
				break;
			}
			pc = i->c;
			break;
		case OP_NEXTO:
			if (f->set[i->b].i < f->set[i->b].n) {
				next_object(f, i, pc);
				break;
			}
			pc = i->c;
			break;
		case OP_FILTER:
			if (A == 1)
				break;
			if (isnan(A))
				B = A;
			f->steps -= (long)(pc - i->c);
			pc = i->c;
			if (f->steps < 0) {
				steps_used_up(f);
				return;
			}
			break;
		case OP_BACK:
			f->steps -= (long)(pc - i->a);
			pc = i->a;
			if (f->steps < 0) {
				steps_used_up(f);
				return;
			}
			break;
		case OP_STDACC: std_take(&A, &A + 1, &A + 2, B); break;
		case OP_STDFIN: A = std_give(B, (&B)[1], (&B)[2], pc); break;
		case OP_UNIQO: obj[i->a] = asl_unique_object(B, obj[i->a], pc); break;
		case OP_PART: A = read_part(f, i, pc); break;
		case OP_GIVE: give(f, A); break;
		case OP_RATE: f->rate = A; break;
		case OP_ALT: alternative(f, A, i->b); break;
		case OP_HOLDS:
			if (!holds(f))
				return;
			break;
		case OP_GMAX:
			if (i->c == ALT_ALWAYS || f->out->alternatives >> i->c & 1)
				A = asl_larger(A, B);
			break;
		case OP_SEV: f->out->severity = asl_severity(A); break;
		case OP_CONF: confide(f, A); break;
		case OP_TEXT: asl_text_begin(f, (enum text_clause)i->a); break;
		case OP_ADVX: asl_advise(f, f->job.prog->texts[i->a]); break;
		case OP_ADVN: asl_advise_number(f, A, i->b); break;
		case OP_ADVT: asl_advise_text(f, txt[i->a]); break;
		case OP_ADVE: asl_advise_enum(f, A, i->b); break;
		case OP_COUNT: return;
		}
	}
#undef A
#undef B
#undef C
#undef AT
}

/* All registers begin undefined. */
static void begin(struct frame *f, const struct asl_program *p, const struct code *code,
	const struct asl_env *env, void *const *objects, const struct asl_part *parts, long steps,
	struct asl_verdict *out)
{
	f->job = (struct job){ p, code, env };
	f->parts = parts;
	f->out = out;
	f->unknown = 0;
	f->rate = NAN;
	asl_text_begin(f, TEXT_ADVICE);
	f->advising = false;
	f->steps = steps;
	for (int i = 0; i < code->nnum; i++)
		f->num[i] = asl_undefined(0);
	for (int i = 0; i < code->nobj; i++)
		f->obj[i] = (struct object){ NULL, code->obj_class[i], 0 };
	for (int i = 0; i < code->pub.nparams; i++)
		f->obj[i].p = objects[i];
	for (int i = 0; i < code->ntext; i++)
		f->text[i] = (struct vm_text){ NULL, 0 };
	for (int i = 0; i < code->nset; i++) {
		f->set[i].undefined = asl_undefined(0);
		f->set[i].i = f->set[i].n = 0;
	}
	set_undecided(out);
}

void asl_run(const struct asl_program *p, const struct code *code, const struct asl_env *env,
	void *const *objects, const struct asl_part *parts, long *steps, struct asl_verdict *out)
{
	struct frame f;

	begin(&f, p, code, env, objects, parts, *steps, out);
	run_frame(&f, NULL);
	*steps = f.steps;
}

void asl_run_traced(const struct asl_program *p, const struct code *code, const struct asl_env *env,
	void *const *objects, const struct asl_part *parts, long steps, struct trace *trace,
	struct asl_verdict *out)
{
	struct frame f;

	begin(&f, p, code, env, objects, parts, steps, out);
	run_frame(&f, trace);
}
