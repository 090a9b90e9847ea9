// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads landscapes (search/replay/landscape.h: the recorded times of many schedules of one problem) from files of
// records or tables, and writes them for `tune replay` and other tools.
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

/// Collects one record for each schedule of a problem on a class of devices: the last record with outcome ok or, if
/// there is none, the first failure. Not thread-safe.
class RecordLandscape {
 public:
  /// Adds a record. Returns InvalidArgument if its problem or class of devices differs from that of the first record,
  /// or if it is no schedule of its kernel family.
  absl::Status Add(TuningRecord record);

  /// Returns one record for each schedule, in the order in which the schedules were first added.
  const std::vector<TuningRecord>& records() const { return records_; }
  /// Returns the landscape. Its features and predicted times are those of the schedules' kernel families; their errors
  /// are returned. Without records the landscape is empty.
  absl::StatusOr<Landscape> Make() const;

 private:
  std::vector<TuningRecord> records_;
  std::unordered_map<std::string, size_t> places_;  ///< Indices into records_, by the schedule's digest.
};

/// Reads a landscape. A file FILE.jsonl must be the output of `tune records export` for one problem and class of
/// devices. Any other file is a cache of Kernel Tuner if it is JSON, and otherwise CSV. For these, `description` is the
/// path of a file that says what their parameters mean (kernel_description.h). If it is empty, the file beside the
/// landscape is used, FILE.json for FILE.csv, if there is one. Returns InvalidArgument with the file, and the line if
/// there is one.
absl::StatusOr<Landscape> ReadLandscapeFile(const std::string& path, const LandscapeColumns& columns,
                                            const std::string& description);

enum class LandscapeFormat {
  kJsonl,  ///< Records; `tune records import` reads them, too.
  kCsv,  ///< A column for each parameter, then time_ms, which has the name of the outcome if the schedule did not run.
  kKernelTuner,  ///< A cache file of Kernel Tuner.
};

/// Returns kJsonl for FILE.jsonl and "-" (standard output), and kCsv for FILE.csv. Returns InvalidArgument for any
/// other name.
absl::StatusOr<LandscapeFormat> LandscapeFormatOf(const std::string& path);

/// Writes the records of a RecordLandscape; there must be at least one. In kCsv and kKernelTuner, a parameter that the
/// schedule's family does not have is 0, and if there are several families, the first column is `family`.
void WriteLandscape(const std::vector<TuningRecord>& records, LandscapeFormat format, std::ostream& out);

}  // namespace mmtune
