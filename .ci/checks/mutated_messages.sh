#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A million mutated messages of every form that is read: prints what became of them. FPM_FUZZ_SEED sets another seed.
set -uo pipefail
cd "$(dirname "$0")/../.."
mvn -B -ntp test -pl planner-core -am -Dtest=MutatedMessagesTest -Dsurefire.failIfNoSpecifiedTests=false \
  -Dfpm.fuzz.messages=1000000 ${FPM_FUZZ_SEED:+-Dfpm.fuzz.seed=$FPM_FUZZ_SEED} | grep -E ' messages, at most |Tests run|ERROR'
exit "${PIPESTATUS[0]}"
