// The fastest schedules of a job, compared with each other.
#pragma once

#include "absl/status/status.h"
#include "server/cli/matmul_command.h"
#include "server/cli/session.h"

namespace mmtune {

/// A job of its own: each of the `count` fastest of `result` against the first, which becomes the rival of
/// `result.best`. Comparisons that the log holds are not made again. When it is interrupted, or cannot be run to its
/// end, those made count. Errors: the session's.
absl::Status RunFinals(Session& session, const v1::JobSpec& spec, size_t count, bool quiet, const Console& console,
                       TuningResult& result);

}  // namespace mmtune
