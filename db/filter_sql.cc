// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/filter_sql.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace mmtune {

FilterSql::FilterSql(const RecordFilter& filter) {
  if (filter.problem) {
    Add("r.workload_id = (SELECT id FROM workload WHERE digest = ", filter.problem->Digest(), ")");
  }
  if (!filter.device.empty()) {
    // Not lower() of a parameter: PostgreSQL would use the database's collation.
    const int parameter = next_parameter();
    Add("r.device_id IN (SELECT id FROM device WHERE kind = ", absl::AsciiStrToLower(filter.device),
        absl::StrCat(" OR instr(lower(name), ?", parameter, ") > 0)"));
  }
  // A job has few records, an outcome many: the + keeps SQLite from the outcome's index.
  if (filter.outcome)
    Add(filter.job_uuid.empty() ? "r.outcome = " : "+r.outcome = ", std::string(OutcomeName(*filter.outcome)));
  if (filter.since_unix_millis > 0) Add("r.unix_millis >= ", filter.since_unix_millis);
  if (filter.regime) Add("r.regime = ", std::string(RegimeName(*filter.regime)));
  if (!filter.job_uuid.empty()) Add("r.job_uuid = ", filter.job_uuid);
  if (!filter.include_non_canonical) Add("r.canonical = 1");
  if (filter.verified_only) Add("r.verified = 1");
  if (!filter.schedule_digest.empty()) Add("r.schedule_digest = ", filter.schedule_digest);
}

void FilterSql::Add(const std::string& before, std::variant<int64_t, std::string> value, const std::string& after) {
  Add(absl::StrCat(before, "?", next_parameter(), after));
  values_.push_back(std::move(value));
}

void FilterSql::Add(const std::string& condition) {
  absl::StrAppend(&conditions_, conditions_.empty() ? "" : " AND ", condition);
}

std::string FilterSql::Where() const {
  return conditions_.empty() ? std::string() : absl::StrCat("WHERE ", conditions_, " ");
}

int FilterSql::Bind(Statement& statement) const {
  int parameter = 1;
  for (const auto& value : values_) {
    std::visit([&](const auto& v) { statement.Bind(parameter, v); }, value);
    ++parameter;
  }
  return parameter;
}

}  // namespace mmtune
