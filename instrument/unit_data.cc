/* SPDX-License-Identifier: BSD-3-Clause */
/* Emits the data that the unit leaves in its object: the SIR fragment, the table of variables,
 * struct psc_unit, its constructor and its destructor.  All are variables of the symbol table,
 * never assembler text, which link-time optimisation would lose. */
#include "instrument/pscplugin.h"
#include "base/dictionary.h"
#include <zlib.h>

/* Constructors run before those of the program's static objects, destructors after. */
#define UNIT_PRIORITY 101

static tree string_address(const std::string &s)
{
	return build_string_literal(s.size() + 1, s.c_str());
}

static tree u32(long long value)
{
	return build_int_cst(uint32_type_node, value);
}

/* --- static data in general ----------------------------------------------------------------- */
static tree static_data(const char *name, tree type, tree initial)
{
	tree decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), type);

	SET_DECL_ASSEMBLER_NAME(decl, get_identifier(name));
	TREE_STATIC(decl) = 1;
	TREE_READONLY(decl) = 1;
	TREE_USED(decl) = 1;
	DECL_ARTIFICIAL(decl) = 1;
	DECL_IGNORED_P(decl) = 1;
	DECL_INITIAL(decl) = initial;
	return decl;
}

static tree record_value(tree type, const tree *values, int n)
{
	vec<constructor_elt, va_gc> *elts = NULL;
	tree field = TYPE_FIELDS(type);

	for (int i = 0; i < n; i++, field = DECL_CHAIN(field))
		CONSTRUCTOR_APPEND_ELT(elts, field, values[i]);
	tree value = build_constructor(type, elts);
	TREE_STATIC(value) = TREE_CONSTANT(value) = 1;
	return value;
}

static tree bytes_value(const std::string &bytes)
{
	tree value = build_string(bytes.size(), bytes.data());

	TREE_TYPE(value) = build_array_type_nelts(char_type_node, bytes.size());
	TREE_READONLY(value) = TREE_STATIC(value) = TREE_CONSTANT(value) = 1;
	return value;
}

/* --- the SIR fragment ----------------------------------------------------------------------- */
static const Bytef *bytes_at(const char *s)
{
	return reinterpret_cast<const Bytef *>(s);
}

static std::string packed(const std::string &text)
{
	static const char words[] = PSC_SIR_DICTIONARY;
	struct psc_sir_packed head = { (uint32_t)text.size() };
	std::string bytes(reinterpret_cast<const char *>(&head), sizeof head);
	z_stream z = {};

	if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL,
			Z_DEFAULT_STRATEGY) != Z_OK ||
	    deflateSetDictionary(&z, bytes_at(words), sizeof words - 1) != Z_OK)
		fatal_error(UNKNOWN_LOCATION, "periscope: out of memory");
	std::vector<unsigned char> out(deflateBound(&z, text.size()));
	z.next_in = const_cast<Bytef *>(bytes_at(text.data()));
	z.avail_in = text.size();
	z.next_out = out.data();
	z.avail_out = out.size();
	if (deflate(&z, Z_FINISH) != Z_STREAM_END)
		fatal_error(UNKNOWN_LOCATION, "periscope: cannot compress the program structure");
	bytes.append(reinterpret_cast<const char *>(out.data()), z.total_out);
	deflateEnd(&z);
	return bytes;
}

static std::string fragment_bytes(const std::string &text, uint64_t hash)
{
	struct psc_sir_header head;
	std::string body, bytes;
	bool fits = text.size() <= PSC_SIR_TEXT_MAX;

	if (!fits)
		warning(0,
			"periscope: the unit has too many regions: its program structure is omitted");
	body = packed(fits ? text : text.substr(0, text.find('\n')) + "</fragment>\n");
	memset(&head, 0, sizeof head);
	memcpy(head.magic, PSC_SIR_PACKED, sizeof head.magic);
	head.version = PSC_ABI_VERSION;
	head.length = body.size();
	head.hash = hash;
	bytes.assign(reinterpret_cast<const char *>(&head), sizeof head);
	bytes += body;
	return bytes.append(-bytes.size() % 8, '\0');
}

static void emit_fragment(const std::string &text, uint64_t hash)
{
	std::string bytes = fragment_bytes(text, hash);
	char name[40];

	snprintf(name, sizeof name, "__psc_sir_%016llx", (unsigned long long)hash);
	tree value = bytes_value(bytes);
	tree decl = static_data(name, TREE_TYPE(value), value);
	SET_DECL_ALIGN(decl, 64);
	DECL_USER_ALIGN(decl) = 1;
	DECL_PRESERVE_P(decl) = 1;
	DECL_ATTRIBUTES(decl) = tree_cons(get_identifier("used"), NULL_TREE,
		tree_cons(get_identifier("retain"), NULL_TREE, NULL_TREE));
	set_decl_section_name(decl, PSC_SIR_SECTION);
	varpool_node::finalize_decl(decl);
	varpool_node::get(decl)->force_output = 1;
}

/* --- variables ------------------------------------------------------------------------------ */
/* The text of struct psc_tables under construction, and the addresses. */
struct variables {
	std::string text;
	std::vector<tree> addresses;
	unsigned n = 0;
	/* The previous row, to encode differences: */
	tree base = NULL_TREE;
	unsigned HOST_WIDE_INT end = 0, bytes = 0;
	std::string scope;
	int region = PSC_NO_REGION;
	unsigned elem = 0;
	int line = 0;
};

static void put_string(std::string *out, const std::string &s)
{
	out->append(s.c_str(), s.size() + 1);
}

static void put_line(std::string *out, int *before, int line)
{
	psc_put_difference(out, line - *before);
	*before = line;
}

static void put_row(struct variables *v, const std::string &name, const std::string &scope,
	tree base, unsigned HOST_WIDE_INT offset, unsigned HOST_WIDE_INT bytes,
	enum psc_var_kind kind, int line, int region, unsigned elem)
{
	unsigned flags = kind;

	flags |= base != v->base ? PSC_TABLES_ADDRESS : 0;
	flags |= scope != v->scope ? PSC_TABLES_SCOPE : 0;
	flags |= offset != (base != v->base ? 0 : v->end) ? PSC_TABLES_OFFSET : 0;
	flags |= region != v->region ? PSC_TABLES_REGION : 0;
	flags |= elem != v->elem ? PSC_TABLES_ELEM : 0;
	flags |= bytes != v->bytes ? PSC_TABLES_SIZE : 0;
	v->text += (char)flags;
	if (flags & PSC_TABLES_ADDRESS)
		v->addresses.push_back(v->base = base);
	if (flags & PSC_TABLES_SCOPE)
		put_string(&v->text, v->scope = scope);
	if (flags & PSC_TABLES_REGION)
		psc_put_number(&v->text, (uint32_t)((v->region = region) + 1));
	put_string(&v->text, name);
	if (flags & PSC_TABLES_OFFSET)
		psc_put_number(&v->text, offset);
	if (flags & PSC_TABLES_SIZE)
		psc_put_number(&v->text, v->bytes = bytes);
	if (flags & PSC_TABLES_ELEM)
		psc_put_number(&v->text, v->elem = elem);
	put_line(&v->text, &v->line, line);
	v->end = offset + bytes;
	v->n++;
}

static void put_variable(struct variables *v, const std::string &name, const std::string &scope,
	tree base, unsigned HOST_WIDE_INT offset, tree type, enum psc_var_kind kind, tree decl,
	int region)
{
	tree one = TYPE_SIZE_UNIT(psc_element(type)), size = TYPE_SIZE_UNIT(type);
	bool sized = kind != PSC_VAR_DESCRIPTOR;

	put_row(v, name, scope, base, offset,
		sized && size && tree_fits_uhwi_p(size) ? tree_to_uhwi(size) : 0, kind,
		DECL_SOURCE_LINE(decl), region,
		sized && one && tree_fits_uhwi_p(one) ? tree_to_uhwi(one) : 0);
}

static int region_of(tree context)
{
	if (!context || TREE_CODE(context) != FUNCTION_DECL)
		return PSC_NO_REGION;
	auto sub = psc.subroutines.find(DECL_UID(context));
	return sub == psc.subroutines.end() ? PSC_NO_REGION : sub->second;
}

static unsigned HOST_WIDE_INT bytes_of(tree decl)
{
	tree size = DECL_SIZE_UNIT(decl);

	return size && tree_fits_uhwi_p(size) ? tree_to_uhwi(size) : 0;
}

/* Adds the fields of the block's own type: declarations in BLOCK DATA and modules belong to no
 * routine. */
static void add_fields(std::vector<psc_member_entry> *members, tree decl)
{
	for (tree field = TYPE_FIELDS(TREE_TYPE(decl)); field; field = DECL_CHAIN(field)) {
		tree one = TREE_CODE(field) == FIELD_DECL && DECL_NAME(field) ?
			TYPE_SIZE_UNIT(psc_element(TREE_TYPE(field))) : NULL_TREE;

		if (one && tree_fits_uhwi_p(one) && tree_fits_shwi_p(DECL_FIELD_OFFSET(field)))
			members->push_back({ IDENTIFIER_POINTER(DECL_NAME(field)),
				int_byte_position(field), bytes_of(field),
				(unsigned)tree_to_uhwi(one), DECL_SOURCE_LINE(field), -1 });
	}
}

/* The members of a COMMON block as the unit's first routine declares them; then other routines'
 * names, which the monitor takes for aliases because they come later
 * (monitor/address/objects.c). */
static void add_common(struct variables *v, tree decl, const std::string &scope)
{
	std::vector<psc_member_entry> members = psc.commons[IDENTIFIER_POINTER(DECL_NAME(decl))],
		known;
	int first = -1;

	std::stable_sort(members.begin(), members.end(), [](auto &a, auto &b) {
		int x = psc.regions[a.region].line, y = psc.regions[b.region].line;

		/* EQUIVALENCE may overlay members: wider ones first. */
		return x != y ? x < y : a.bytes > b.bytes;
	});
	if (!members.empty())
		first = members[0].region;
	add_fields(&members, decl);
	for (auto &m : members) {
		if (std::any_of(known.begin(), known.end(), [&](auto &k) {
			return k.name == m.name && k.at == m.at && k.bytes == m.bytes &&
				(k.region == first || k.region == m.region || m.region < 0);
		}))
			continue;
		known.push_back(m);
		put_row(v, m.name, scope, decl, m.at, m.bytes, PSC_VAR_COMMON, m.line,
			m.region == first ? PSC_NO_REGION : m.region, m.elem);
	}
}

/* The members of the union that gfortran makes for EQUIVALENCE. */
static void add_members(struct variables *v, tree decl, enum psc_var_kind kind,
	const std::string &scope)
{
	std::vector<tree> fields;

	for (tree field = TYPE_FIELDS(TREE_TYPE(decl)); field; field = DECL_CHAIN(field))
		if (TREE_CODE(field) == FIELD_DECL && DECL_NAME(field) &&
		    tree_fits_shwi_p(DECL_FIELD_OFFSET(field)))
			fields.push_back(field);
	/* Wider members first: narrower ones at the same place are aliases. */
	std::stable_sort(fields.begin(), fields.end(), [](tree a, tree b) {
		return bytes_of(a) > bytes_of(b);
	});
	for (tree field : fields)
		put_variable(v, IDENTIFIER_POINTER(DECL_NAME(field)), scope, decl,
			int_byte_position(field), TREE_TYPE(field), kind, field,
			region_of(DECL_CONTEXT(decl)));
}

std::string psc_scope_of(tree decl)
{
	tree context = DECL_CONTEXT(decl);

	if (!psc_module_name(decl).empty())
		return psc_module_name(decl);
	if (region_of(context) != (int)PSC_NO_REGION)    /* the region of gfortran's MAIN__ is named
							  * main */
		return psc.regions[region_of(context)].name;
	if (context && TREE_CODE(context) == FUNCTION_DECL)
		return psc_function_name(context);
	if (context && DECL_P(context) && DECL_NAME(context) &&
	    TREE_CODE(context) != TRANSLATION_UNIT_DECL)
		return IDENTIFIER_POINTER(DECL_NAME(context));
	if (context && TYPE_P(context) && TYPE_NAME(context) &&
	    TREE_CODE(TYPE_NAME(context)) == TYPE_DECL)
		return IDENTIFIER_POINTER(DECL_NAME(TYPE_NAME(context)));
	return "";
}

static tree find_label(tree *tp, int *, void *)
{
	return TREE_CODE(*tp) == LABEL_DECL ? *tp : NULL_TREE;
}

/* The table of a computed goto: kept without its function, its labels would not exist. */
static bool holds_labels(tree decl)
{
	tree value = DECL_INITIAL(decl);

	return value && value != error_mark_node && TREE_CODE(value) == CONSTRUCTOR &&
		CONSTRUCTOR_NELTS(value) > 0 &&
		walk_tree_without_duplicates(&CONSTRUCTOR_ELT(value, 0)->value, find_label, NULL);
}

static bool is_user_variable(tree decl)
{
	const char *name;

	if (!VAR_P(decl) || DECL_EXTERNAL(decl) || !DECL_NAME(decl) || DECL_HARD_REGISTER(decl) ||
	    DECL_HAS_VALUE_EXPR_P(decl) || DECL_WEAK(decl))
		return false;
	if (holds_labels(decl))
		return false;
	if (psc_is_common(decl))
		return true;
	name = IDENTIFIER_POINTER(DECL_NAME(decl));
	if (startswith(name, "__") || startswith(name, "_ZT"))
		return false;
	if (in_system_header_at(DECL_SOURCE_LOCATION(decl)))
		return false;
	return !DECL_ARTIFICIAL(decl) || startswith(name, "equiv.");
}

/* No scalar: with its address in a table, GCC would keep a scalar out of registers. */
static bool is_aggregate(tree type)
{
	tree size = TYPE_SIZE_UNIT(type);

	return AGGREGATE_TYPE_P(type) && size && tree_fits_uhwi_p(size) && tree_to_uhwi(size) >= 16;
}

static enum psc_var_kind kind_of(tree decl)
{
	return psc_module_name(decl).empty() ? PSC_VAR_STATIC : PSC_VAR_MODULE;
}

static void add_variable_of(struct variables *v, tree decl)
{
	tree type = TREE_TYPE(decl);
	std::string name = IDENTIFIER_POINTER(DECL_NAME(decl)), scope = psc_scope_of(decl);
	enum psc_var_kind kind = kind_of(decl);

	if (psc_is_common(decl)) {
		scope = psc_common_name(decl);
		add_common(v, decl, scope);
		return;
	}
	if (startswith(name.c_str(), "equiv.")) {
		add_members(v, decl, kind, scope);
		return;
	}
	if (psc_is_descriptor(type))
		kind = PSC_VAR_DESCRIPTOR;
	if (is_aggregate(type))
		put_variable(v, name, scope, decl, 0, type, kind, decl,
			region_of(DECL_CONTEXT(decl)));
}

/* --- sites ---------------------------------------------------------------------------------- */
static tree string_or_null(const std::string &s)
{
	return s.empty() ? null_pointer_node : string_address(s);
}

tree psc_site_make(const struct psc_site_entry &site)
{
	static const char *const fields[] = { "name", "scope", "file", "unit", "variable", "region",
		"line", "elem", "flags", "number", "reserved" };
	static unsigned counter;
	tree p = ptr_type_node, u = uint32_type_node;
	const tree types[] = { p, p, p, p, p, u, u, u, u, u, u };
	bool main_file = site.file.empty() || site.file == main_input_filename;
	char name[32];

	snprintf(name, sizeof name, "__psc_site.%u", counter++);
	tree decl = static_data(name, psc_runtime_record("psc_site", fields, types, 11), NULL_TREE);
	const tree values[] = { string_or_null(site.name), string_or_null(site.scope),
		main_file ? null_pointer_node : string_address(site.file),
		build_fold_addr_expr(psc_runtime_unit()),
		site.descriptor ? build_fold_addr_expr(site.descriptor) : null_pointer_node,
		u32(site.region), u32(site.line), u32(site.elem), u32(site.flags), u32(0), u32(0) };

	DECL_INITIAL(decl) = record_value(TREE_TYPE(decl), values, 11);
	TREE_READONLY(decl) = 0;
	TREE_ADDRESSABLE(decl) = 1;
	varpool_node::finalize_decl(decl);
	return build_fold_addr_expr(decl);
}

/* --- the unit ------------------------------------------------------------------------------- */
static tree address_list(const struct variables &v)
{
	vec<constructor_elt, va_gc> *elts = NULL;
	tree type = build_array_type_nelts(ptr_type_node, v.addresses.size());

	for (tree decl : v.addresses)
		CONSTRUCTOR_APPEND_ELT(elts, size_int(vec_safe_length(elts)),
			fold_convert(ptr_type_node, build_fold_addr_expr(decl)));
	tree value = build_constructor(type, elts);
	TREE_STATIC(value) = TREE_CONSTANT(value) = 1;
	return value;
}

static std::string tables_text(const struct variables &v)
{
	std::string text;
	int line = v.line;

	psc_put_number(&text, psc.regions.size());
	put_string(&text, main_input_filename);
	psc_put_number(&text, v.n);
	psc_put_number(&text, psc.dummies.size());
	text += v.text;
	for (auto &d : psc.dummies) {
		put_string(&text, d.name);
		psc_put_number(&text, d.region);
		put_line(&text, &line, d.line);
		psc_put_number(&text, d.size + 1);
	}
	text += psc_native_calls_text();
	return text;
}

/* --- scalars -------------------------------------------------------------------------------- */
/* The address of the table of scalars, which psc_scalars_emit() makes behind all code.  Objects for
 * link-time optimisation have none: their code is made later, by another process. */
static tree scalars_address(void)
{
	return flag_lto ? null_pointer_node : fold_convert(ptr_type_node,
		build_fold_addr_expr(psc_runtime_scalars()));
}

/* Pointers have no rows of their own: what they point to has their name. */
static bool is_scalar(tree decl)
{
	return is_user_variable(decl) && TREE_ASM_WRITTEN(decl) && !TREE_READONLY(decl) &&
		!DECL_THREAD_LOCAL_P(decl) && !psc_is_common(decl) &&
		!is_aggregate(TREE_TYPE(decl)) && !POINTER_TYPE_P(TREE_TYPE(decl)) &&
		!startswith(IDENTIFIER_POINTER(DECL_NAME(decl)), "equiv.");
}

/* A variable that stands for a lock of the OpenMP library, if records of the unit name it. */
static void put_lock(struct variables *v, tree decl, const char *name)
{
	if (decl)
		put_row(v, name, "", decl, 0, tree_to_uhwi(TYPE_SIZE_UNIT(TREE_TYPE(decl))),
			PSC_VAR_STATIC, 0,
			PSC_NO_REGION, 4);
}

void psc_scalars_emit(void)
{
	static const char *const fields[] = { "naddresses", "address", "text" };
	tree decl = psc_runtime_scalars_wanted();
	struct variables v;
	varpool_node *node;
	std::string text;

	if (!decl || seen_error())
		return;
	FOR_EACH_VARIABLE(node)
		if (node->definition && !node->alias && is_scalar(node->decl))
			put_variable(&v, IDENTIFIER_POINTER(DECL_NAME(node->decl)),
				psc_scope_of(node->decl), node->decl, 0, TREE_TYPE(node->decl),
				kind_of(node->decl), node->decl,
				region_of(DECL_CONTEXT(node->decl)));
	put_lock(&v, psc_runtime_lock_used(false), "critical");
	put_lock(&v, psc_runtime_lock_used(true), "atomic");
	psc_put_number(&text, v.n);
	tree addresses = address_list(v), bytes = bytes_value(text + v.text);
	const tree types[] = { uint64_type_node, TREE_TYPE(addresses), TREE_TYPE(bytes) };
	const tree values[] = { build_int_cst(uint64_type_node, v.addresses.size()), addresses,
		bytes };

	TREE_TYPE(decl) = psc_runtime_record("psc_scalars", fields, types, 3);
	DECL_INITIAL(decl) = record_value(TREE_TYPE(decl), values, 3);
	/* The blocks of section anchors have been written. */
	int anchors = flag_section_anchors;
	flag_section_anchors = 0;
	relayout_decl(decl);
	varpool_node::finalize_decl(decl);
	flag_section_anchors = anchors;
}

/* Emits struct psc_tables and returns its address. */
static tree tables_make(const struct variables &v, uint64_t hash)
{
	static const char *const fields[] = { "abi", "naddresses", "hash", "scalars", "address",
		"text" };
	tree addresses = address_list(v), text = bytes_value(tables_text(v));
	const tree types[] = { uint32_type_node, uint32_type_node, uint64_type_node, ptr_type_node,
		TREE_TYPE(addresses), TREE_TYPE(text) };
	const tree values[] = { u32(PSC_ABI_VERSION), u32(v.addresses.size()),
		build_int_cst(uint64_type_node, hash), scalars_address(), addresses, text };
	tree type = psc_runtime_record("psc_tables", fields, types, 6);
	tree decl = static_data("__psc_tables", type, record_value(type, values, 6));

	SET_DECL_ALIGN(decl, 64);
	DECL_USER_ALIGN(decl) = 1;
	varpool_node::finalize_decl(decl);
	return build_fold_addr_expr(decl);
}

/* --- thread-local variables ----------------------------------------------------------------- */
/* Their addresses are no constants: the unit's constructor passes them. */
static void pass_thread_variable(tree *body, const std::string &name, const std::string &scope,
	tree decl, HOST_WIDE_INT at, tree type, enum psc_var_kind kind)
{
	tree size = TYPE_SIZE_UNIT(type), one = TYPE_SIZE_UNIT(psc_element(type));
	tree address = build_fold_addr_expr(decl);

	if (!is_aggregate(type))
		return;
	if (at)
		address = fold_build_pointer_plus_hwi(fold_convert(ptr_type_node, address), at);
	append_to_statement_list(build_call_expr(psc_runtime_function(FN_ALLOCATED), 4,
		psc_site_make({ name, scope, "", NULL_TREE, (unsigned)region_of(DECL_CONTEXT(decl)),
			(int)DECL_SOURCE_LINE(decl), one && tree_fits_uhwi_p(one) ?
			(unsigned)tree_to_uhwi(one) : 0, PSC_SITE_THREAD | (unsigned)kind << 8 }),
		fold_convert(ptr_type_node, address), build_one_cst(uint64_type_node),
		fold_convert(uint64_type_node, size)), body);
}

static void pass_thread_variables(tree *body, tree decl)
{
	std::string name = IDENTIFIER_POINTER(DECL_NAME(decl)), scope = psc_scope_of(decl);
	bool module = !psc_module_name(decl).empty();

	if (!psc_is_common(decl)) {
		pass_thread_variable(body, name, scope, decl, 0, TREE_TYPE(decl),
			module ? PSC_VAR_MODULE : PSC_VAR_STATIC);
		return;
	}
	for (tree field = TYPE_FIELDS(TREE_TYPE(decl)); field; field = DECL_CHAIN(field))
		if (TREE_CODE(field) == FIELD_DECL && DECL_NAME(field) &&
		    tree_fits_shwi_p(DECL_FIELD_OFFSET(field)))
			pass_thread_variable(body, IDENTIFIER_POINTER(DECL_NAME(field)),
				psc_common_name(decl), decl, int_byte_position(field),
				TREE_TYPE(field), PSC_VAR_COMMON);
}

static void emit_cdtor(char which, tree body)
{
	cgraph_build_static_cdtor(which, body, UNIT_PRIORITY);
}

void psc_unit_emit(void)
{
	struct variables v;
	varpool_node *node;
	std::string text;
	uint64_t hash;

	tree constructor = NULL_TREE;
	std::vector<tree> of_threads;

	FOR_EACH_VARIABLE(node)
		if (node->definition && !node->alias && is_user_variable(node->decl)) {
			if (DECL_THREAD_LOCAL_P(node->decl))
				of_threads.push_back(node->decl);
			else
				add_variable_of(&v, node->decl);
		}
	if (psc.regions.empty() && !v.n && of_threads.empty())
		return;
	text = psc_sir_text(&hash);
	emit_fragment(text, hash);
	tree unit = psc_runtime_unit_finish(psc.regions.size());
	append_to_statement_list(build_call_expr(psc_runtime_function(FN_START), 2,
		build_fold_addr_expr(unit), tables_make(v, hash)), &constructor);
	for (tree decl : of_threads)
		pass_thread_variables(&constructor, decl);
	emit_cdtor('I', constructor);
	if (flag_pic && !flag_pie)      /* may be in a library that is unloaded */
		emit_cdtor('D', build_call_expr(psc_runtime_function(FN_UNREGISTER), 1,
			build_fold_addr_expr(unit)));
}
