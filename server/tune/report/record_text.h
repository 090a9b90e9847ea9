// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formats records of the log: many as a table or as CSV lines, and one in full.
#pragma once

#include <string>
#include <vector>

#include "proto/types/measurement.h"
#include "server/tune/report/table.h"

namespace mmtune {

/// Returns a table of the records, in their order: id, time, problem, outcome, speed, schedule, device.
Table RecordsTable(const std::vector<TuningRecord>& records);

/// Returns a table of records that are each the best of a problem and device, in their order, and below it the meaning
/// of the marks in the table.
std::string WinnersText(const std::vector<TuningRecord>& records, const TableStyle& style = {});

/// Returns the names of the columns as a line of CSV.
std::string RecordCsvHeading();
/// Returns a record as a line of CSV. Values are in the units of the columns' names, such as nanoseconds.
std::string RecordCsvLine(const TuningRecord& record);

/// Returns all fields of the record, one name and value in each line, and a histogram of its samples. If `with_samples`
/// is true, also returns the values of the samples. In Markdown, it has a table for each group of fields.
std::string RecordText(const TuningRecord& record, bool with_samples = false, const TableStyle& style = {});

}  // namespace mmtune
