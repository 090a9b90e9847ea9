// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The records of a log by what may be compared: one problem, one class of devices, one regime.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "proto/types/measurement.h"

namespace mmtune {

struct ReportGroup {
  MatmulProblem problem;
  DeviceInfo device;                  ///< Of its newest record.
  std::string regime;                 ///< RegimeName; empty where nothing of the problem was timed on the device.
  std::vector<TuningRecord> records;  ///< In the order given; failures too.

  /// Whether times may be compared; where nothing was timed, that is what changed.
  bool IsComparable(const ReportGroup& other) const;
};

/// Of `records`, oldest first. What was not timed has no regime: it goes to the one that its job timed others in, else
/// to the first that there is of its problem and device. Groups in the order of problem, device and regime.
std::vector<ReportGroup> GroupRecords(std::vector<TuningRecord> records);

}  // namespace mmtune
