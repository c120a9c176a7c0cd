/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that the burst recorder (libpscburst, preloaded into a program) shares with its reader
 * (psc_foreign, a process beside it): one memfd, which the reader creates, sizes (BURST_BYTES,
 * sparse) and fills in, and whose descriptor the program inherits.  Its number stands in BURST_ENV.
 *
 * A *burst* is a short time in which threads run translated code that records their accesses;
 * before and after it they run their own.  Each thread has a slot.  At each expiry of its timer,
 * which counts the thread's own processor time, it leaves a sample; a burst begins at an expiry,
 * too.
 *
 *     reader                                       recorder
 *     creates the memfd, sets `setup`              maps it, unsets BURST_ENV; writes `code`;
 * `state` READY or REFUSED
 *     writes `code` anew (from /proc/PID/maps)
 *     `wanted` = n                                 the first expiry that sees it: `begun` = n; each
 * thread
 *                                                  that runs begins: slot `burst` = n, `status`
 * RECORDING
 *                                                  words, blocks, accesses; `status` BURST_END_...
 *     reads the words, `status` = IDLE
 *     `closed` = n: no thread begins burst n
 *
 * Both come from one build, so these are native structs; comments say who writes a field.  The
 * reader trusts nothing it reads here: the program may have overwritten it.  A count (`blocks`,
 * `offset`, `head`) is written after what it counts, with release, and loaded with acquire. */
#ifndef PSC_BURST_SHARED_BURST_H
#define PSC_BURST_SHARED_BURST_H

#include <stdatomic.h>
#include <stdint.h>

#define BURST_MAGIC UINT64_C(0x3154535255425350) /* "PSBURST1" */
#define BURST_VERSION 1
#define BURST_FILE "periscope-bursts"   /* the memfd's name */
/* The number of the memfd's descriptor in the program; unset once read.  Where the path of the
 * recorder has a space or a colon, which LD_PRELOAD divides, it has BURST_BY_DESCRIPTOR and the
 * number of a descriptor of the library instead, which follows here behind a colon. */
#define BURST_BY_DESCRIPTOR "/proc/self/fd/"
#define BURST_ENV "PSC_BURST"
/* The signal of the recorder's timers.  The program does not see it: it neither blocks nor handles
 * it. */
#define BURST_SIGNAL 59

enum {
	BURST_THREADS = 256,            /* slots */
	BURST_RANGES = 1024,            /* of code */
	BURST_CALLERS = 8,
	BURST_SAMPLES = 512,            /* per slot, a ring */
	BURST_HEAP_EVENTS = 8192,       /* of the process, a ring */
	BURST_TARGETS = 1 << 16,        /* per slot: known targets of indirect jumps */
	BURST_BLOCKS = 1 << 16,         /* per slot */
	BURST_ACCESSES = 1 << 19,       /* per slot */
	BURST_BLOCK_WORDS = 1024        /* no block has more words */
};

/* Where things are.  Slot t begins at BURST_HEADER_BYTES + t * BURST_SLOT_BYTES; the others are
 * offsets in a slot. */
enum {
	BURST_HEADER_BYTES = 2 << 20,
	BURST_WORDS_AT = 2 << 20,       /* before it: struct burst_thread */
	BURST_WORDS_END = 16 << 20,     /* room for one more block behind it */
	BURST_BLOCKS_AT = 17 << 20,
	BURST_ACCESSES_AT = 20 << 20,
	BURST_CODE_AT = 36 << 20,       /* translated code: of no use to the reader */
	BURST_CODE_BYTES = 16 << 20,
	BURST_SLOT_BYTES = 52 << 20
};
#define BURST_SMALL_AT (BURST_HEADER_BYTES + (uint64_t)BURST_THREADS * BURST_SLOT_BYTES)
#define BURST_BYTES (BURST_SMALL_AT + sizeof(struct burst_small))
/* Tracked memory stands behind small blocks.  A file without it has BURST_BYTES. */
#define BURST_TRACKED_BYTES (UINT64_C(1) << 40)
/* The most words of a burst. */
#define BURST_MAX_WORDS ((BURST_WORDS_END - BURST_WORDS_AT) / 8)

/* --- what the code of a block accesses -------------------------------------------------- */

/* How the address of an access is told.  `words` in struct burst_access says how many words it
 * has. */
enum burst_kind {
	BURST_WORD = 0,         /* one word: the address */
	BURST_WORD_FS = 1,      /* one word: the address less the thread's `fs` */
	BURST_FIXED = 2,        /* no word: `address` */
	BURST_FIXED_FS = 3,     /* no word: `address` + the thread's `fs` */
	BURST_STRING = 4,
	/* two words: the address before and after a string instruction with a rep prefix.
	                         * It accesses |after - before| / `size` elements,
	                         * upwards if after > before. */
	BURST_STACK = 5,        /* one word: what push, pop, call and return access; only with
				 * BURST_RECORD_STACK */
	BURST_LANES = 6,
	/* gather or scatter: the words are the base address (displacement added), the mask, the
	                         * indices.  An address is base + index * `scale`.
	                         * Mask: `mask_bytes` 0: a word with a bit for each lane; else
	                         * `lanes` elements of `mask_bytes`, of which the highest bit
	                         * counts.  Indices: signed, `index_bytes` each. */
	BURST_UNKNOWN = 7       /* no word: the address is not recorded (docs/bursts.md lists the
				 * instructions) */
};
enum { BURST_LOAD = 1, BURST_STORE = 2 };

/* Written by the recorder before the block that refers to it. */
struct burst_access {
	uint64_t ip;            /* of the instruction */
	uint64_t address;       /* BURST_FIXED, BURST_FIXED_FS */
	uint32_t size;          /* bytes; BURST_STRING, BURST_LANES: of one element */
	uint8_t kind;           /* enum burst_kind */
	uint8_t does;           /* BURST_LOAD, BURST_STORE or both */
	uint8_t words;
	uint8_t lanes;          /* BURST_LANES, and the next */
	uint8_t scale;
	uint8_t index_bytes;    /* 4 or 8 */
	uint8_t mask_bytes;
	uint8_t spare[5];
};

/* A block: code that is entered at its start and left at its end.  Its words are its number in the
 * table, then those of its accesses, in their order. */
struct burst_block {
	uint64_t ip;
	uint32_t bytes;         /* of the program's code */
	uint32_t first;         /* access */
	uint32_t code;          /* offset of the translated code */
	uint16_t accesses;
	uint16_t words;         /* its own number included */
	uint16_t instructions;
	uint16_t stack;         /* accesses of push, pop, call and return that are counted here and
				 * not recorded */
	uint16_t scratch;       /* recorder's: registers that the translated code saves */
	uint16_t spare;
};

/* --- samples and heap events ------------------------------------------------------------ */

/* A timer of a thread has expired. */
struct burst_sample {
	uint64_t time;          /* CLOCK_MONOTONIC, ns */
	uint64_t cpu;           /* processor time of the thread until now, ns */
	uint64_t ip;            /* of the program's own code, in a burst too */
	uint64_t burst;         /* number of the burst in which the thread is, or that begins here;
				 * 0: none */
	uint64_t registers[16]; /* rax rcx rdx rbx rsp rbp rsi rdi r8 ... r15 */
	uint64_t callers[BURST_CALLERS]; /* below */
};

enum burst_heap_kind {
	BURST_ALLOC = 1,        /* malloc and all its forms */
	BURST_FREE = 2,
	/* before the block is given back.  A realloc is BURST_FREE and BURST_ALLOC, of the old
	                         * block if it failed */
	BURST_MAP = 3,          /* mmap of anonymous memory by the program itself */
	BURST_UNMAP = 4
};
/* A block of at least `heap_bytes` bytes comes or goes.  Events of all threads are in one ring, in
 * their order. */
struct burst_heap_event {
	_Atomic uint64_t ready; /* its place in the ring's history + 1, once it is written: may be
				 * late */
	uint64_t address;
	uint64_t size;          /* as asked for */
	uint32_t kind;          /* enum burst_heap_kind */
	uint32_t tid;
	uint64_t time;          /* of the clock CLOCK_MONOTONIC, ns, if memory goes; else 0 */
	uint64_t callers[BURST_CALLERS];
};
/* `callers`: callers[0] of a heap event is the return address of the allocation's call.  Of
 * samples, and from callers[1] on, they are words found on the stack, innermost first, that point
 * behind a call instruction in `code`: return addresses, and some that were left there.  0 ends the
 * list. */

/* --- small blocks of the heap ----------------------------------------------------------- */

/* Blocks of less than `heap_bytes` have no events: each granule of the heap has the number of the
 * place that has last allocated it.  Heaps share the table by the low bits of their addresses; the
 * high ones are in the entry.  The first granule of a block with events has BURST_LARGE. */
enum {
	BURST_GRANULE = 16,             /* bytes of the heap */
	BURST_GRANULES = 1 << 26,
	BURST_SITES = 1 << 14,
	BURST_LARGE = BURST_SITES - 1,  /* the number of no site */
	BURST_SITE_CALLERS = 3
};
struct burst_site {
	uint64_t callers[BURST_SITE_CALLERS];   /* as of a heap event; 0 ends them */
};
/* By the recorder. */
struct burst_small {
	_Atomic uint32_t sites;         /* numbers that are given, from 1 on */
	_Alignas(4096) struct burst_site site[BURST_SITES];
	_Alignas(4096) uint32_t granule[BURST_GRANULES];        /* burst_granule(); 0: none */
};
static inline uint32_t burst_granule_at(uint64_t address)
{
	return (uint32_t)(address / BURST_GRANULE % BURST_GRANULES);
}
static inline uint32_t burst_granule(uint64_t address, uint32_t site)
{
	return (uint32_t)(address / BURST_GRANULE / BURST_GRANULES * BURST_SITES | site);
}

/* --- a thread's slot -------------------------------------------------------------------- */

enum burst_life {
	BURST_FREE_SLOT = 0,
	BURST_LIVE = 1,         /* FREE -> LIVE -> ENDED by the recorder */
	BURST_ENDED =
	2         /* the thread has ended; -> FREE by the reader, when it has read everything.
	                         * LIVE -> FREE if there is nothing to read: look at `tid`, too */
};
/* What the thread does with bursts. */
enum burst_status {
	BURST_IDLE = 0,         /* by the reader, when it has read an ended burst: the next may
				 * begin */
	BURST_RECORDING = 1,
	BURST_END_FULL = 2,     /* `words` are recorded */
	BURST_END_CALL = 3,     /* a system call follows */
	BURST_END_SIGNAL = 4,   /* a signal of the program's came.  The last block may have fewer
				 * words than its accesses. */
	BURST_END_CODE = 5,     /* an instruction that is not translated follows: `end_ip` */
	BURST_END_NO_FILE = 6,  /* code follows that is in no range of `code` (a JIT's; a library
				 * just loaded): `end_ip` */
	BURST_END_CACHE = 7,    /* tables or code cache are full; the next burst begins with empty
				 * ones */
	BURST_END_LOST = 8,     /* the thread left translated code in a way that the recorder did
				 * not see */
	BURST_END_EXIT = 9,     /* the thread ends */
	BURST_ENDS
};

/* The recorder addresses the fields before `targets` by %gs. */
struct burst_thread {
	/* recorder's own */
	uint64_t saved_rcx, saved_rax;
	uint64_t saved[2];
	uint64_t target;
	_Atomic uint64_t offset;        /* by the recorder: in the slot, behind the last word.  While a block runs, its
	                                 * words count already.  From
	                                 * BURST_WORDS_END on, the burst ends. */
	/* recorder's own */
	uint64_t exit, entry;
	uint64_t thunk;
	uint64_t program_sp, stack_top;
	uint64_t self;
	_Atomic uint32_t in_call;       /* 1: in a burst, in a system call, perhaps for long
					 * (BURST_THROUGH_CALLS) */
	uint32_t spare;
	_Atomic uint32_t status;        /* enum burst_status */
	_Atomic uint32_t life;          /* enum burst_life */

	/* by the recorder, before `status` */
	uint32_t tid;
	uint32_t generation;            /* grows when blocks and accesses begin anew: never during a burst, nor before
	                                 * the last one is read */
	uint64_t fs;                    /* base of the thread's own variables */
	uint64_t stack_high;            /* near the end of its stack */
	uint64_t burst;                 /* number of the burst */
	uint64_t first;                 /* offset of the burst's first word */
	uint64_t begin_time, begin_cpu; /* ns, as in samples */
	uint64_t begin_ip;
	uint64_t end_ip;                /* BURST_END_CODE, BURST_END_NO_FILE */
	_Atomic uint32_t blocks;        /* in the table */
	uint32_t accesses;

	/* counts of the recorder, for the report */
	_Atomic uint64_t bursts;        /* begun */
	_Atomic uint64_t refused_ip;    /* expiries at which a burst was due and could not begin:
					 * code in no range */
	_Atomic uint64_t refused_status;/* ... the last burst was not yet read */
	_Atomic uint64_t samples_lost;  /* the ring was full */

	/* a ring: by the recorder at head % size, by the reader at tail % size */
	_Atomic uint64_t sample_head, sample_tail;
	struct burst_sample samples[BURST_SAMPLES];
	/* recorder's own: indirect jumps */
	_Alignas(4096) uint64_t targets[BURST_TARGETS], entries[BURST_TARGETS];
};
_Static_assert(sizeof(struct burst_thread) <= BURST_WORDS_AT, "a slot's head fits");
_Static_assert(BURST_BLOCKS_AT + BURST_BLOCKS * sizeof(struct burst_block) <= BURST_ACCESSES_AT &&
	BURST_ACCESSES_AT + BURST_ACCESSES * sizeof(struct burst_access) <= BURST_CODE_AT,
	"tables fit");

/* --- tracked memory --------------------------------------------------------------------- */

/* Large heap blocks of the program are part of the file, so that their pages can be *armed*: the
 * recorder drops their page-table entries, the contents stay, and the next access is a minor fault
 * that the kernel reports to the reader.  The reader says which pages, by `arm_wanted`; a timer's
 * handler drops them. */
enum { BURST_WINDOWS = 512, BURST_PAGE = 4096, BURST_PLACED = 32 };
struct burst_window {
	uint64_t offset, bytes; /* in tracked memory */
};
/* A part of tracked memory that has another address: static variables stay where the linker has
 * put them. */
struct burst_placed {
	uint64_t address, bytes, offset;
};
/* Asynchronous write protection (no thread serves it), also of shared memory: memory that is
 * registered for it takes its faults page by page. */
#define BURST_UFFD_FEATURES (UINT64_C(1) << 0 | UINT64_C(1) << 12 | UINT64_C(1) << 15)

struct burst_tracked {
	uint64_t least;                 /* by the reader: the smallest block; 0: none is tracked */
	uint32_t writes;                /* by the reader: nothing is tracked; it protects the
					 * program's own memory by the userfaultfd */
	int32_t socket;                 /* by the reader: its number in the program, -1: none.  The recorder sends the
	                                 * userfaultfd there, which the reader
	                                 * keeps open, and closes it. */
	uint32_t exact;                 /* by the recorder: each page has its own fault, reads
					 * too */
	_Atomic uint64_t low;           /* by the recorder: its address; 0: no memory is tracked */
	_Atomic uint64_t top;           /* by the recorder: bytes that ever belonged to blocks */
	/* by the recorder, before `low` */
	struct burst_placed placed[BURST_PLACED];
	uint32_t nplaced;
	uint32_t no_blocks;             /* by the recorder: malloc() is not the C library's, and
					 * its blocks are tracked as far as its mappings are */
	/* by the reader: a number that grows; `windows` and `window` stay
	 * until `arm_done` is the same */
	_Atomic uint64_t arm_wanted;
	uint32_t windows, spare;
	struct burst_window window[BURST_WINDOWS];
	/* by the recorder */
	_Atomic uint64_t arm_begun, arm_done;
	_Atomic uint64_t arm_ns;        /* processor time of all that was armed */
	_Atomic uint64_t arm_failed;    /* windows that were not dropped: locked memory, or memory
					 * that the program maps in the place of tracked memory */
	_Atomic uint64_t other_maps, other_bytes;       /* large private mappings of the program's
							 * that are not tracked */
};

/* --- the head of the memory ------------------------------------------------------------- */

enum {
	BURST_RECORD_STACK = 1,         /* record the accesses of push, pop, call and return */
	BURST_THROUGH_CALLS = 2,
	/* system calls do not end a burst, except those that wait for others (poll, futex),
	                                 * start or end threads and processes: for
	                                 * programs with many calls */
	BURST_FOREVER = 4,
	/* tests: a burst begins before main() and at each expiry; a full buffer is
	                                 * emptied, unread; no system call that waits ends it */
	BURST_KEPT = 16,                /* tests, with BURST_FOREVER: the thread waits until the
					 * reader has read a full buffer */
	BURST_ON_SIGNAL = 8             /* tests: the recorder's signal, sent by anybody, is an
					 * expiry at which a burst begins */
};
enum burst_state {
	BURST_NEW = 0,
	BURST_READY = 1,
	BURST_REFUSED = 2,              /* `refusal`; the program runs as without the recorder */
	BURST_GONE = 3                  /* the process has ended in an orderly way */
};
enum burst_refusal {
	BURST_NO_REFUSAL = 0,
	BURST_NO_VERSION = 1,           /* the memory is of another version */
	BURST_NO_MAP = 2,               /* it could not be mapped: error is `refusal_errno` */
	BURST_NO_EXECUTION = 3,         /* nor executed */
	BURST_SHADOW_STACK = 4,         /* the kernel checks return addresses (CET) */
	BURST_GS_USED = 5,              /* the program uses %gs */
	BURST_NO_TIMER = 6,
	BURST_JIT_RUNTIME = 7,          /* a run-time system that has its own threads and signals:
					 * Go */
	BURST_NO_XSAVE = 8,             /* the processor cannot save all its registers as the
					 * recorder needs it */
	BURST_SANDBOX =
	9               /* while it ran: the program has forbidden itself system calls (seccomp).  What was
	                                 * recorded before counts */
};

struct burst_range {
	uint64_t low, high;
};

struct burst_header {
	uint64_t magic;                 /* by the reader, before the program starts, to
					 * `heap_bytes` */
	uint32_t version;
	uint32_t flags;                 /* BURST_RECORD_STACK ... */
	uint64_t period;                /* ns of processor time between samples of a thread; 0: no
					 * samples, no bursts */
	uint64_t words;                 /* per burst and thread, up to BURST_MAX_WORDS */
	uint64_t heap_bytes;            /* smallest block with events; 0: no events */

	_Atomic uint32_t state;         /* enum burst_state, by the recorder */
	uint32_t refusal;               /* enum burst_refusal */
	uint32_t refusal_errno;
	uint32_t pid;
	uint64_t own_low, own_high;     /* the recorder's code: never in a burst, sometimes in a
					 * sample */

	_Atomic uint64_t wanted;        /* by the reader: number of the burst to make, from 1 on */
	_Atomic uint64_t begun;         /* by the recorder: the last one that began */
	_Atomic uint64_t closed;        /* by the reader: the last one that no thread may begin any
					 * more */
	_Atomic uint32_t done;          /* by the reader: it reads no more, no timer has to expire
					 * any more */
	uint32_t reader;                /* by the reader, before the program starts: its process; 0:
					 * not known */

	_Atomic uint64_t heap_lost;     /* events for which the ring had no room */
	_Atomic uint64_t threads_lost;  /* threads without a slot */
	_Atomic uint32_t slots;         /* slots that were ever used: 0 ... slots - 1 */
	uint32_t most_slots;            /* as many as could be mapped */
	_Atomic uint64_t heap_head, heap_tail; /* as of samples */
	struct burst_heap_event heap[BURST_HEAP_EVENTS];

	/* Code that may be translated: executable, not writable mappings of files, and the vdso,
	 * ascending.  By the recorder before it is ready, then by the reader. `code_change` is odd
	 * while it writes, and larger after each change.  A library that is unloaded must go before
	 * another takes its place; the recorder empties its tables when `code_change` is new. */
	_Atomic uint32_t code_change;
	uint32_t ranges;
	struct burst_range code[BURST_RANGES];

	struct burst_tracked tracked;
};
_Static_assert(sizeof(struct burst_header) <= BURST_HEADER_BYTES, "the header fits");

#endif
