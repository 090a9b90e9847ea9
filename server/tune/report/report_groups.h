// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The records of a log by what may be compared: one problem, one class of devices, one regime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "proto/types/measurement.h"
#include "server/tune/report/sample_histogram.h"

namespace mmtune {

/// What the records before it say of a record, and what its samples do, which are not kept.
struct RecordFacts {
  int64_t trial = 0;   ///< Its number among those of its job; 0: it is none.
  double best_ns = 0;  ///< The fastest time of its job so far; 0: none.
  size_t samples = 0;
  SampleHistogram histogram;
};

/// What was not timed has no regime: it goes to the one that its job timed others in, else to the first that there is
/// of its problem and device.
struct ReportGroup {
  MatmulProblem problem;
  DeviceInfo device;                  ///< Of its newest record.
  std::string regime;                 ///< RegimeName; empty where nothing of the problem was timed on the device.
  std::vector<TuningRecord> records;  ///< Oldest first; failures too; without samples.
  std::unordered_map<int64_t, RecordFacts> facts;  ///< By the record's id.
  int64_t total = 0;                    ///< Records of the log, of which `records` may be a part (report_choice.h).
  std::map<Outcome, int64_t> outcomes;  ///< Of all of them.

  /// Adds a newer record than the last one. Its samples become a histogram.
  void Add(TuningRecord record, RecordFacts of_record);
  bool IsWhole() const { return static_cast<int64_t>(records.size()) >= total; }
  /// True if times may be compared; where nothing was timed, that is what changed.
  bool IsComparable(const ReportGroup& other) const;
};

/// In the order of problem, device and regime.
void SortGroups(std::vector<ReportGroup>& groups);

}  // namespace mmtune
