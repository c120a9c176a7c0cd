#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# interrupt.sh once more, with agents that are started without mpirun.
PSC_AGENTS=local
export PSC_AGENTS
. "${srcdir:-.}/tests/e2e/interrupt.sh"
