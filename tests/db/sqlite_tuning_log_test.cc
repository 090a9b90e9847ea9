#include "tests/db/tuning_log_conformance.h"

namespace mmtune::testing {
namespace {

LogBackend SqliteBackend(const std::string& name, bool bulk) {
  return {name,
          [bulk](const std::string& folder) -> std::unique_ptr<TuningLog> {
            TuningLogOptions options;
            options.bulk = bulk;
            absl::StatusOr<std::unique_ptr<TuningLog>> log = OpenTuningLog(folder + "/log.db", options);
            EXPECT_OK(log);
            return log.ok() ? *std::move(log) : nullptr;
          },
          [](const std::string& folder) -> std::unique_ptr<TuningLogReader> {
            absl::StatusOr<std::unique_ptr<TuningLogReader>> reader = OpenTuningLogReadOnly(folder + "/log.db");
            EXPECT_OK(reader);
            return reader.ok() ? *std::move(reader) : nullptr;
          }};
}

INSTANTIATE_TEST_SUITE_P(Backends, TuningLogConformance,
                         ::testing::Values(SqliteBackend("Sqlite", false), SqliteBackend("SqliteBulk", true)),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mmtune::testing
