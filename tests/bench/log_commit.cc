// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commits of the tuning log: records made durable per second, one by one and in groups.
//
// One record is what the coordinator writes for it: candidate, attempt, record, and the two changes of state. The log
// lies in TMPDIR: on a tmpfs the numbers are not those of a disk.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "db/tuning_log.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

struct Bench {
  std::string folder;
  std::unique_ptr<TuningLog> log;
  int64_t job_id = 0;
  int64_t number = 0;
};

absl::Status Open(Bench& bench) {
  std::string pattern = (std::filesystem::temp_directory_path() / "mmtune-bench-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) return Internal("cannot make a folder for the log; set TMPDIR");
  bench.folder = pattern;
  ASSIGN_OR_RETURN(bench.log, OpenTuningLog(bench.folder + "/log.db", {}));
  JobRow job;
  job.uuid = "job";
  job.client_request_id = "request";
  job.problem = {1024, 1024, 1024, DataType::kF32};
  ASSIGN_OR_RETURN(bench.job_id, bench.log->InsertJob(job));
  return absl::OkStatus();
}

TuningRecord MakeRecord(int64_t number) {
  TuningRecord record;
  record.uuid = absl::StrCat("record-", number);
  record.job_uuid = "job";
  record.problem = {1024, 1024, 1024, DataType::kF32};
  record.schedule = {"fma", {{"bk", 16}, {"bm", 128}, {"bn", 128}, {"stages", 3}, {"tm", 8}, {"variant", number}}};
  record.device.name = "NVIDIA H200";
  record.toolchain = {"0.1.0", "22.1.8", "ptxas 13.0", "fma=1"};
  record.measurement.timing.samples_ns.assign(30, 1e5);
  record.measurement.timing.median_ns = record.measurement.timing.low_ns = record.measurement.timing.high_ns = 1e5;
  record.measurement.check.performed = record.measurement.check.passed = true;
  return record;
}

absl::Status WriteOne(Bench& bench) {
  TuningRecord record = MakeRecord(++bench.number);
  ASSIGN_OR_RETURN(int64_t candidate_id, bench.log->InsertCandidate(bench.job_id, record.schedule));
  AttemptRow attempt;
  attempt.token = absl::StrCat("token-", bench.number);
  attempt.candidate_id = candidate_id;
  RETURN_IF_ERROR(bench.log->InsertAttempt(attempt));
  RETURN_IF_ERROR(bench.log->InsertRecord(attempt.token, record).status());
  RETURN_IF_ERROR(bench.log->EndAttempt(attempt.token, AttemptState::kReported, ""));
  return bench.log->SetCandidateState(candidate_id, CandidateState::kDone);
}

absl::Status CommitGroup(Bench& bench, int64_t size) {
  RETURN_IF_ERROR(bench.log->Begin());
  for (int64_t i = 0; i < size; ++i) RETURN_IF_ERROR(WriteOne(bench));
  return bench.log->Commit();
}

void BM_CommitRecords(benchmark::State& state) {
  Bench bench;
  absl::Status status = Open(bench);
  for (auto _ : state) {
    if (status.ok()) status = CommitGroup(bench, state.range(0));
    if (!status.ok()) {
      state.SkipWithError(status.ToString().c_str());
      break;
    }
  }
  state.SetItemsProcessed(bench.number);
  state.counters["commits_per_s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  bench.log.reset();
  if (!bench.folder.empty()) std::filesystem::remove_all(bench.folder);
}
BENCHMARK(BM_CommitRecords)->ArgName("group")->Arg(1)->Arg(8)->Arg(64)->Arg(256)->UseRealTime();

}  // namespace
}  // namespace mmtune

BENCHMARK_MAIN();
