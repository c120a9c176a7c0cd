/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the variables that many files of the monitor share, and those that compiled code reads. */
#include "monitor/state.h"
#include "monitor/collect/runtime_collector.h"
#include "monitor/host/threads.h"

union pscm_live pscm_live __attribute__((aligned(PSCM_PAGE)));
struct mon_shm *pscm_shm;

int __psc_recording;
int __psc_live;
int __psc_heap;
/* Each alone in its cache lines, as those of the library are. */
_Alignas(128) char __psc_critical_lock[128], __psc_atomic_lock[128];
__thread struct psc_records __psc_records __attribute__((tls_model("initial-exec")));
uint64_t pscm_sink[PSC_SLACK_WORDS + 64];

__thread struct pscm_thread *pscm_self __attribute__((tls_model("initial-exec")));
__thread uintptr_t pscm_busy __attribute__((tls_model("initial-exec")));

_Atomic uint32_t pscm_experiment, pscm_interval;
_Atomic uint32_t pscm_sliced;
uint64_t pscm_timed_ns;
const struct pscm_collector *_Atomic pscm_cuts;
_Atomic uint64_t pscm_unhandled, pscm_lost;
/* Hooks read the epoch and allocations write the generation: keep them on two cache lines. */
_Alignas(64) _Atomic uint32_t pscm_epoch;
_Alignas(64) _Atomic uint32_t pscm_translation_generation;
