// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fastest schedules of a job, compared with each other.
#pragma once

#include "server/cli/matmul_command.h"
#include "server/cli/session.h"

namespace mmtune {

/// A job of its own: the `count` fastest of `result` against the first, or against the one that the log has them
/// compared with: the rival of `result.best`. Comparisons that the log holds are not made again. When it is
/// interrupted, or cannot be run to its end, `result.run` says so, and those made count.
void RunFinals(Session& session, const v1::JobSpec& spec, size_t count, bool quiet, const Console& console,
               TuningResult& result);

}  // namespace mmtune
