// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of the log as tables, as CSV lines, and one record in full.
#pragma once

#include <string>
#include <vector>

#include "proto/types/measurement.h"
#include "server/tune/report/table.h"

namespace mmtune {

/// In the order given: id, when, problem, outcome, speed, schedule, device.
Table RecordsTable(const std::vector<TuningRecord>& records);

/// The winner of each problem and device, in the order given.
Table WinnersTable(const std::vector<TuningRecord>& records);

/// CSV with raw units; the lines end with '\n'.
std::string RecordCsvHeading();
std::string RecordCsvLine(const TuningRecord& record);

/// Everything the record holds, one name and value per line; of its samples a histogram, and with `with_samples` their
/// values.
std::string RecordText(const TuningRecord& record, bool with_samples = false);

}  // namespace mmtune
