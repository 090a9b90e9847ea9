#include "tests/db/tuning_log_conformance.h"

namespace mmtune::testing {
namespace {

LogBackend SqliteBackend() {
  return {"Sqlite", [](const std::string& folder) { return OpenOrFail(folder + "/log.db"); },
          [](const std::string& folder) -> std::unique_ptr<TuningLogReader> {
            absl::StatusOr<std::unique_ptr<TuningLogReader>> reader = OpenTuningLogReadOnly(folder + "/log.db");
            EXPECT_OK(reader);
            return reader.ok() ? *std::move(reader) : nullptr;
          }};
}

INSTANTIATE_TEST_SUITE_P(Backends, TuningLogConformance, ::testing::Values(SqliteBackend()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mmtune::testing
