// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The landscape that records make: one of each schedule of a problem on a class of devices.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/measurement.h"
#include "search/replay/landscape.h"

namespace mmtune {

/// Gives schedules of our families the features and predictions of these. InvalidArgument where one is unknown.
absl::Status UseFamilies(Landscape& landscape);

/// Of a schedule the last ok record counts, or its first failure where it has none.
class RecordLandscape {
 public:
  /// InvalidArgument: another problem or class of devices than the first record's, or a schedule that its family does
  /// not know.
  absl::Status Add(TuningRecord record);

  /// One of each schedule, in the order in which they were met.
  const std::vector<TuningRecord>& records() const { return records_; }
  /// With the features and predictions of the schedules' families. InvalidArgument where one is unknown.
  absl::StatusOr<Landscape> Make() const;

 private:
  std::vector<TuningRecord> records_;
  std::unordered_map<std::string, size_t> places_;  ///< By the schedule's digest.
};

}  // namespace mmtune
