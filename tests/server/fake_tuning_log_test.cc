// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulations' log keeps the promises of the real one.
#include "tests/server/fake_tuning_log.h"

#include <map>

#include "tests/db/tuning_log_conformance.h"

namespace mmtune::testing {
namespace {

/// Each call reads what is committed by then.
class FakeReader : public TuningLogReader {
 public:
  explicit FakeReader(FakeLogStorage& storage) : storage_(storage) {}

  absl::StatusOr<std::vector<TuningRecord>> Query(const RecordFilter& filter, int64_t after_id, int limit) override {
    return FakeTuningLog(storage_).Query(filter, after_id, limit);
  }
  absl::StatusOr<std::vector<TuningRecord>> Newest(const RecordFilter& filter, int64_t before_id, int limit) override {
    return FakeTuningLog(storage_).Newest(filter, before_id, limit);
  }
  absl::Status ForEachBrief(const RecordFilter& filter,
                            const std::function<void(const RecordBrief& brief)>& visit) override {
    return FakeTuningLog(storage_).ForEachBrief(filter, visit);
  }
  absl::StatusOr<std::vector<TuningRecord>> GetAll(const std::vector<int64_t>& ids) override {
    return FakeTuningLog(storage_).GetAll(ids);
  }
  absl::StatusOr<std::vector<RankedRecord>> BestOfEach(const RecordFilter& filter, int each) override {
    return FakeTuningLog(storage_).BestOfEach(filter, each);
  }
  absl::StatusOr<std::vector<RankedRecord>> Best(const RecordFilter& filter, int limit) override {
    return FakeTuningLog(storage_).Best(filter, limit);
  }
  absl::StatusOr<TuningRecord> Get(std::string_view id_or_uuid) override {
    return FakeTuningLog(storage_).Get(id_or_uuid);
  }
  absl::StatusOr<std::optional<TuningRecord>> Find(const MatmulProblem& problem, const Schedule& schedule,
                                                   const DeviceInfo& device, const Toolchain& toolchain,
                                                   Regime regime) override {
    return FakeTuningLog(storage_).Find(problem, schedule, device, toolchain, regime);
  }
  absl::StatusOr<std::optional<TuningRecord>> FindMeasured(std::string_view timing_key) override {
    return FakeTuningLog(storage_).FindMeasured(timing_key);
  }
  absl::StatusOr<std::vector<TimedSource>> TimedSources(const TimesFilter& filter) override {
    return FakeTuningLog(storage_).TimedSources(filter);
  }
  absl::StatusOr<std::vector<MeasuredTime>> TimesOf(const MatmulProblem& problem, const DeviceInfo& device,
                                                    const TimesFilter& filter, int most) override {
    return FakeTuningLog(storage_).TimesOf(problem, device, filter, most);
  }
  absl::StatusOr<std::vector<JobRow>> UnfinishedJobs() override { return FakeTuningLog(storage_).UnfinishedJobs(); }
  absl::StatusOr<std::optional<JobRow>> FindJob(std::string_view uuid) override {
    return FakeTuningLog(storage_).FindJob(uuid);
  }
  absl::StatusOr<std::optional<JobRow>> FindJobById(int64_t id) override {
    return FakeTuningLog(storage_).FindJobById(id);
  }
  absl::StatusOr<std::optional<JobRow>> FindJobByRequest(std::string_view client_request_id) override {
    return FakeTuningLog(storage_).FindJobByRequest(client_request_id);
  }
  absl::StatusOr<std::vector<CandidateRow>> Candidates(int64_t job_id) override {
    return FakeTuningLog(storage_).Candidates(job_id);
  }
  absl::StatusOr<std::optional<CandidateRow>> FindCandidate(int64_t candidate_id) override {
    return FakeTuningLog(storage_).FindCandidate(candidate_id);
  }
  absl::StatusOr<std::vector<AttemptRow>> LiveAttempts() override { return FakeTuningLog(storage_).LiveAttempts(); }
  absl::StatusOr<std::optional<AttemptRow>> FindAttempt(std::string_view token) override {
    return FakeTuningLog(storage_).FindAttempt(token);
  }

 private:
  FakeLogStorage& storage_;
};

/// The disk: a storage for each folder.
FakeLogStorage& StorageIn(const std::string& folder) {
  static auto* storages = new std::map<std::string, FakeLogStorage>;
  return (*storages)[folder];
}

LogBackend FakeBackend() {
  return {"Fake", [](const std::string& folder) { return std::make_unique<FakeTuningLog>(StorageIn(folder)); },
          [](const std::string& folder) { return std::make_unique<FakeReader>(StorageIn(folder)); }};
}

INSTANTIATE_TEST_SUITE_P(Backends, TuningLogConformance, ::testing::Values(FakeBackend()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace mmtune::testing
