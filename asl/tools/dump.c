/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a program: code, needed attributes, constants. */
#include "asl/tools/tools.h"
#include "asl/code.h"

#include <stdio.h>

static void dump_operand(const struct asl_program *p, FILE *f, char kind, int v)
{
	switch (kind) {
	case 'N': case 'W':
		fprintf(f, " n%d", v);
		break;
	case 'O':
		fprintf(f, " o%d", v);
		break;
	case 'S':
		fprintf(f, " s%d", v);
		break;
	case 'T':
		fprintf(f, " t%d", v);
		break;
	case 'K':
		fprintf(f, " %.10g", p->numbers[v]);
		break;
	case 'X':
		fprintf(f, " \"%s\"", p->texts[v]);
		break;
	case 'A':
		fprintf(f, " %s.%s", p->classes[p->reads[v].cls].name,
			p->classes[p->reads[v].cls].attrs[p->reads[v].attr].name);
		break;
	case 'L': case 'B':
		fprintf(f, " ->%d", v);
		break;
	case 'I':
		fprintf(f, " %d", v);
		break;
	case 'E':
		fprintf(f, " %s", p->enums[v].name);
		break;
	default:
		break;
	}
}

static void dump_code(const struct asl_program *p, const struct code *code, FILE *f)
{
	fprintf(f, "  code: %d instructions, %d numbers, %d objects, %d sets, %d texts\n",
		code->ninsn, code->nnum, code->nobj, code->nset, code->ntext);
	for (int at = 0; at < code->ninsn; at++) {
		const struct insn *i = &code->insn[at];
		const struct op_info *op = &asl_ops[i->op];
		const int v[] = { i->a, i->b, i->c };

		fprintf(f, "    %4d  %-9s", at, op->name);
		for (int k = 0; k < 3; k++)
			dump_operand(p, f, op->operands[k], v[k]);
		fprintf(f, "\n");
	}
}

static void dump_property(const struct asl_program *p, const struct code *code, FILE *f)
{
	const struct asl_property *q = &code->pub;

	fprintf(f, "property %s (", q->name);
	for (int i = 0; i < q->nparams; i++)
		fprintf(f, "%s%s", i ? ", " : "", p->classes[q->param_class[i]].name);
	fprintf(f, ")  %s:%d\n", q->file, q->line);
	for (int i = 0; i < q->nparents; i++)
		fprintf(f, "  refines %s\n", p->props[q->parents[i]].pub.name);
	fprintf(f, "  severity is a %s\n  needs", q->severity_is_time ? "time" : "fraction");
	for (int i = 0; i < q->nmetrics; i++)
		fprintf(f, " %s", p->classes[q->context].attrs[q->metrics[i]].name);
	fprintf(f, "\n");
	for (int i = 0, e = asl_enum_find(p, "Fix"); i < 32 && q->fixes >> i; i++)
		if (e >= 0 && q->fixes >> i & 1 && i < p->enums[e].nitems)
			fprintf(f, "  fix %s\n", p->enums[e].items[i]);
	for (int i = 0; i < code->nparts; i++) {
		const struct part *part = &code->parts[i];

		fprintf(f, "  part %d, of each %s in %s\n", i,
			p->classes[part->code.pub.context].name,
			p->classes[q->context].attrs[part->attr].name);
		dump_code(p, &part->code, f);
	}
	dump_code(p, code, f);
}

void aslc_disassemble(const struct asl_program *p, FILE *f)
{

	for (int i = 0; i < p->nconstants; i++)
		fprintf(f, "constant %s = %s  %s\n", p->constants[i].name, p->constants[i].value,
			p->constants[i].origin);
	for (int i = 0; i < p->nprops; i++)
		dump_property(p, &p->props[i], f);
}

void aslc_requests(const struct asl_program *p, FILE *out)
{
	for (int i = 0; i < p->nprops; i++) {
		const struct asl_property *q = &p->props[i].pub;

		fprintf(out, "%s %s", q->name, p->classes[q->context].name);
		for (int k = 0; k < q->nmetrics; k++)
			fprintf(out, " %s", p->classes[q->context].attrs[q->metrics[k]].name);
		fprintf(out, "\n");
	}
}
