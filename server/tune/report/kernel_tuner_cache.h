// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cache files of Kernel Tuner, which `tune records export --kernel-tuner` writes too, as a table.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/tune/report/csv_table.h"

namespace mmtune {

/// Returns a row for each configuration of the cache: its parameters, then the value of its key `time` (empty: "time"),
/// or the name of an outcome where the configuration failed. InvalidArgument unless `text` is a whole cache file.
absl::StatusOr<CsvTable> ParseKernelTunerCache(std::string_view text, const std::string& time);

}  // namespace mmtune
