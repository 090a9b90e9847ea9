// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of the log as tables, as CSV lines, and one record in full.
#pragma once

#include <string>
#include <vector>

#include "proto/types/measurement.h"
#include "server/tune/report/table.h"

namespace mmtune {

/// Returns the records in the order given: id, time, problem, outcome, speed, schedule, device.
Table RecordsTable(const std::vector<TuningRecord>& records);

/// Returns the best records of problems and devices in the order given.
Table WinnersTable(const std::vector<TuningRecord>& records);

/// Returns the names of the columns as a line of CSV.
std::string RecordCsvHeading();
/// Returns a record as a line of CSV, in raw units.
std::string RecordCsvLine(const TuningRecord& record);

/// Returns everything that the record holds, one name and value per line, and a histogram of its samples. Adds their
/// values if `with_samples`.
std::string RecordText(const TuningRecord& record, bool with_samples = false);

}  // namespace mmtune
