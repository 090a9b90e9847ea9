// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A landscape as a file for `tune replay` and other tools.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/measurement.h"

namespace mmtune {

enum class LandscapeFormat {
  kJsonl,        ///< Records, as `tune records import` takes them too.
  kCsv,          ///< A column for each parameter, then time_ms, which is the name of an outcome where it did not run.
  kKernelTuner,  ///< A cache file of Kernel Tuner.
};

/// By the name of the file: FILE.jsonl, "-" and FILE.csv. InvalidArgument otherwise.
absl::StatusOr<LandscapeFormat> LandscapeFormatOf(const std::string& path);

/// `records` are those of a RecordLandscape, not empty. In the tables, a parameter that a schedule's family does not
/// have is 0, and a column `family` comes first where there are several.
void WriteLandscape(const std::vector<TuningRecord>& records, LandscapeFormat format, std::ostream& out);

}  // namespace mmtune
