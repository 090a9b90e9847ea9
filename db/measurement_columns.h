// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The columns of the SQL table `measurement` that hold the fields of a record.
#pragma once

#include "proto/types/fields.h"
#include "proto/types/measurement.h"

namespace mmtune {

/// Calls visit(column, field) for each column. Where the column is left empty for one value of its field, the default,
/// calls visit(column, field, OmitIf{default}). Texts, numbers and types with a text form (TextForm in
/// proto/types/fields.h) are SQL values, samples a blob of little-endian doubles, and all other fields JSON. Columns
/// that refer to other tables, or that are computed from the fields, are not visited.
template <typename Record, typename Visitor>
void MeasurementColumns(Record& record, Visitor&& visit) {
  auto& measurement = record.measurement;
  auto& timing = measurement.timing;
  visit("uuid", record.uuid);
  visit("job_uuid", record.job_uuid);
  visit("unix_millis", record.unix_millis);
  visit("outcome", measurement.outcome);
  visit("median_ns", timing.median_ns);
  visit("low_ns", timing.low_ns);
  visit("high_ns", timing.high_ns);
  visit("regime", timing.regime);
  visit("clock", timing.clock);
  KernelResources::Fields(measurement.resources, visit);
  visit("worker", record.worker);
  visit("attempt", record.attempt);
  visit("code_digest", measurement.code_digest);
  visit("message", measurement.message);
  visit("schedule", record.schedule);
  visit("check_report", measurement.check);
  visit("phases", measurement.phases);
  visit("samples_ns", timing.samples_ns);
  visit("verification", measurement.verification, OmitIf{VerificationReport()});
  visit("conditions", measurement.conditions, OmitIf{Conditions()});
  visit("timing_key", measurement.timing_key);
}

}  // namespace mmtune
