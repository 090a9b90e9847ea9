// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `tune matmul` prints at its end.
#pragma once

#include <cstddef>
#include <string>

#include "server/tune/session/tuning_run.h"

namespace mmtune {

/// The table, in lines of `width` characters (0: any), with the text above and below it.
std::string TuningReport(const TuningResult& result, size_t top, size_t width = 0);
/// The same as one JSON object on one line.
std::string TuningReportJson(const TuningResult& result, size_t top);

}  // namespace mmtune
