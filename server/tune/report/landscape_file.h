// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Landscapes in files: read from records or tables, and written for `tune replay` and other tools.
#pragma once

#include <ostream>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/measurement.h"
#include "search/replay/landscape.h"
#include "server/tune/report/landscape_table.h"

namespace mmtune {

/// Collects one record of each schedule of a problem on a class of devices: the last ok record, or else the first
/// failure. Not thread-safe.
class RecordLandscape {
 public:
  /// Returns InvalidArgument if problem or class of devices differ from the first record's, or if the schedule's family
  /// does not know it.
  absl::Status Add(TuningRecord record);

  /// Returns one record of each schedule, in the order of their first records.
  const std::vector<TuningRecord>& records() const { return records_; }
  /// Returns the landscape, with the features and predictions of the schedules' families.
  absl::StatusOr<Landscape> Make() const;

 private:
  std::vector<TuningRecord> records_;
  std::unordered_map<std::string, size_t> places_;  ///< By the schedule's digest.
};

/// Reads FILE.jsonl as the output of `tune records export` for one problem and class of devices (RecordLandscape).
/// Reads any other file as a cache of Kernel Tuner, if it is JSON, or as CSV. `description`, a file of
/// kernel_description.h, gives the parameters of these a meaning; empty: the file beside it, FILE.json for FILE.csv, if
/// there is one. InvalidArgument names the file, and the line if there is one.
absl::StatusOr<Landscape> ReadLandscapeFile(const std::string& path, const LandscapeColumns& columns,
                                            const std::string& description);

enum class LandscapeFormat {
  kJsonl,        ///< Records, which `tune records import` reads, too.
  kCsv,          ///< A column for each parameter, then time_ms, which is the name of an outcome where it did not run.
  kKernelTuner,  ///< A cache file of Kernel Tuner.
};

/// Returns the format by the name of the file: FILE.jsonl, "-" or FILE.csv; otherwise InvalidArgument.
absl::StatusOr<LandscapeFormat> LandscapeFormatOf(const std::string& path);

/// Writes the records of a RecordLandscape, which is not empty. In tables, a parameter that a schedule's family lacks
/// is 0, and the column `family` comes first if there are several families.
void WriteLandscape(const std::vector<TuningRecord>& records, LandscapeFormat format, std::ostream& out);

}  // namespace mmtune
