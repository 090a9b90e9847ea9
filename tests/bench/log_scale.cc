// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tuning log and the coordinator at scale: what an import, `tune records list` and `best` over a long log take, and
// what the coordinator's memory does while results come in. Prints each beside its goal.
//
// usage: log_scale [records, default 1000000] [of these imported at once, default 200000] [results, default 50000]
// The logs lie in TMPDIR and take about 3 GiB for a million records.
#include <grpcpp/grpcpp.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "db/jsonl.h"
#include "db/tuning_log.h"
#include "mmtune/v1/tuning.grpc.pb.h"
#include "mmtune/v1/work_queue.grpc.pb.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/seconds.h"
#include "proto/base/subprocess.h"
#include "proto/wire/convert.h"
#include "proto/wire/protocol.h"
#include "server/server.h"
#include "tests/bench/bench_device.h"
#include "tests/ok_measurement.h"

namespace mmtune {
namespace {

constexpr int64_t kProblems = 1000;
constexpr int64_t kImportGoalRecords = 200000;
constexpr int kSteps = 5;
constexpr double kNs = 1.2345678e8;

using Time = std::chrono::steady_clock;

double SecondsSince(Time::time_point start) { return Seconds(Time::now() - start); }

[[noreturn]] void Fail(const char* what, absl::string_view why) {
  std::fprintf(stderr, "log_scale: %s: %.*s\n", what, static_cast<int>(why.size()), why.data());
  std::exit(1);
}

/// Record `number` of a log: one of 200 of its job, each with times, digests and errors of its own, as if measured.
TuningRecord BenchRecord(int64_t number) {
  std::mt19937_64 random(static_cast<uint64_t>(number));
  std::uniform_real_distribution<double> noise(0.99, 1.01);
  const double median = 1e6 * static_cast<double>(1000 + random() % 9000);
  TuningRecord record;
  record.uuid = RandomToken();
  record.job_uuid = absl::StrCat("job-", number / 200);
  record.problem = {1024, 1024, 256 + number / 200 % kProblems};
  record.schedule = {
      "fma",
      {{"bk", 16}, {"bm", 128}, {"bn", 128}, {"lm", 8}, {"stages", 3}, {"tm", 8}, {"tn", 8}, {"variant", number}}};
  record.device = BenchDevice();
  record.toolchain = {"0.1.0", "22.1.8", "ptxas 13.0", "fma=1"};
  record.worker = "bench";
  record.unix_millis = 1700000000000 + number;
  Measurement& measurement = record.measurement = OkMeasurement(kNs, 30);
  measurement.code_digest = RandomToken() + RandomToken();
  measurement.timing_key = RandomToken() + RandomToken();
  measurement.resources = {128, 0, 33024, 256, 8, 8, 1};
  measurement.proof.correct = measurement.proof.race_free = measurement.proof.deterministic = true;
  measurement.proof.shapes = {"256x256x128", "192x320x96"};
  measurement.proof.stress_runs = 2;
  measurement.proof.digest = RandomToken() + RandomToken();
  measurement.check.tier = "exact, rounding";
  measurement.check.bound_fraction = 0.1 * noise(random);
  measurement.check.relative_error = 1e-8 * noise(random);
  measurement.check.deterministic = true;
  for (double& sample : measurement.timing.samples_ns) sample = std::round(median * noise(random));
  measurement.timing.median_ns = median;
  measurement.timing.low_ns = 0.998 * median;
  measurement.timing.high_ns = 1.002 * median;
  measurement.timing.clock = "steady";
  measurement.conditions.run = "bench-1";
  measurement.conditions.ended = "precise";
  measurement.conditions.precision = 0.002 * noise(random);
  measurement.conditions.budget_seconds = 0.5;
  PhaseTimes& phases = measurement.phases;
  for (double* phase : {&phases.emit_ms, &phases.mlir_ms, &phases.llvm_ms, &phases.host_ms, &phases.check_ms}) {
    *phase = 10 * noise(random);
  }
  return record;
}

struct Cost {
  double wall_seconds;
  double cpu_seconds;
};

double ChildrenCpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * t.tv_usec; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Of the whole command, its start included.
Cost Command(const std::string& folder, const std::vector<std::string>& words) {
  SubprocessOptions options;
  options.argv = {MMTUNE_TUNE, "records"};
  options.argv.insert(options.argv.end(), words.begin(), words.end());
  options.output_path = folder + "/out";
  const double cpu = ChildrenCpuSeconds();
  const Time::time_point start = Time::now();
  auto process = Subprocess::Spawn(options);
  if (!process.ok()) Fail("tune", process.status().message());
  siginfo_t ended{};  // Subprocess::Wait looks every few milliseconds
  waitid(P_PID, static_cast<id_t>(process->pid()), &ended, WEXITED | WNOWAIT);
  const double wall = SecondsSince(start);
  const std::optional<ExitStatus> end = process->Wait(std::chrono::seconds(1));
  if (!end || !end->ok()) Fail("tune", absl::StrCat(words[0], " failed, see ", options.output_path));
  return {wall, ChildrenCpuSeconds() - cpu};
}

/// The median of several runs.
Cost MedianCommand(const std::string& folder, const std::vector<std::string>& words) {
  constexpr size_t kRuns = 9;
  std::vector<Cost> costs;
  for (size_t i = 0; i < kRuns; ++i) costs.push_back(Command(folder, words));
  const auto median = [&](double Cost::* of) {
    std::sort(costs.begin(), costs.end(), [of](const Cost& a, const Cost& b) { return a.*of < b.*of; });
    return costs[kRuns / 2].*of;
  };
  return {median(&Cost::wall_seconds), median(&Cost::cpu_seconds)};
}

/// Writes records [begin, end) as JSONL and imports them.
Cost Import(const std::string& folder, const std::string& log, int64_t begin, int64_t end) {
  const std::string path = folder + "/records.jsonl";
  std::ofstream file(path);
  for (int64_t number = begin; number < end; ++number) file << RecordToJson(BenchRecord(number)) << "\n";
  file.close();
  if (!file) Fail("write", path);
  const Cost cost = Command(folder, {"import", path, "--log", log});
  std::filesystem::remove(path);
  return cost;
}

void BenchLog(const std::string& folder, int64_t records, int64_t at_once) {
  const std::string log = folder + "/log.db";
  std::printf("%-44s %9s %9s %9s\n", "whole commands", "wall", "CPU", "goal");
  const Cost first = Import(folder, log, 0, at_once);
  std::printf("import of %-34ld %7.2f s %7.2f s %9s\n", at_once, first.wall_seconds, first.cpu_seconds,
              at_once == kImportGoalRecords ? "<= 10 s" : "");
  std::fflush(stdout);
  for (int64_t end = at_once, begin; end < records;) {
    begin = std::exchange(end, std::min(end + at_once, records));
    Import(folder, log, begin, end);
  }
  std::printf("over %ld records\n", records);
  struct Row {
    std::vector<std::string> words;
    const char* goal;
  };
  for (const Row& row : {Row{{"list"}, "< 50 ms"}, Row{{"list", "--problem", "1024x1024x300"}, ""},
                         Row{{"list", "--outcome", "ok", "--json", "--limit", "20"}, ""}, Row{{"best"}, "< 50 ms"},
                         Row{{"best", "--problem", "1024x1024x300"}, ""}, Row{{"show", "1"}, ""}}) {
    std::vector<std::string> words = row.words;
    words.insert(words.end(), {"--log", log});
    const Cost cost = MedianCommand(folder, words);
    std::printf("%-44s %6.1f ms %6.1f ms %9s\n", absl::StrJoin(row.words, " ").c_str(), 1000 * cost.wall_seconds,
                1000 * cost.cpu_seconds, row.goal);
    std::fflush(stdout);
  }
}

double ResidentMib() {
  int64_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return static_cast<double>(resident * sysconf(_SC_PAGESIZE)) / (1 << 20);
}

void Require(const grpc::Status& status, const char* call) {
  if (!status.ok()) Fail(call, status.error_message());
}

void BenchCoordinator(const std::string& folder, int64_t results, const std::string& strategy) {
  ServerOptions options;
  options.listen = "unix:" + folder + "/s-" + strategy;
  options.log_path = folder + "/" + strategy + ".db";
  auto server = Server::Start(options);
  if (!server.ok()) Fail("server", server.status().message());
  auto channel = grpc::CreateChannel((*server)->address(), grpc::InsecureChannelCredentials());
  auto tuning = v1::Tuning::NewStub(channel);
  auto queue = v1::WorkQueue::NewStub(channel);
  grpc::ClientContext register_context;
  v1::RegisterRequest registration;
  registration.set_worker_id("bench");
  registration.set_min_protocol(kProtocol);
  registration.set_max_protocol(kProtocol);
  *registration.add_devices()->mutable_device() = ToWire(BenchDevice());
  v1::RegisterResponse registered;
  Require(queue->Register(&register_context, registration, &registered), "Register");
  int64_t jobs = 0;
  const auto submit = [&] {
    grpc::ClientContext context;
    v1::SubmitJobRequest job;
    job.set_client_request_id(absl::StrCat("bench-", ++jobs));
    *job.mutable_spec()->mutable_problem() = ToWire(MatmulProblem{1024, 1024, 1023 + jobs});
    job.mutable_spec()->set_strategy(strategy);
    job.mutable_spec()->set_trials(results);
    v1::SubmitJobResponse submitted;
    Require(tuning->SubmitJob(&context, job, &submitted), "SubmitJob");
  };
  submit();
  std::printf("\ncoordinator, %s search: resident [MiB] after results, goal: flat\n", strategy.c_str());
  for (int64_t done = 0, step = 1; done < results;) {
    grpc::ClientContext lease_context, report_context;
    v1::LeaseRequest lease;
    lease.set_worker_id("bench");
    lease.set_request_id(RandomToken());
    lease.set_device_uuid("bench");
    lease.set_max_leases(16);
    lease.set_wait_seconds(3);
    v1::LeaseResponse leases;
    Require(queue->Lease(&lease_context, lease, &leases), "Lease");
    v1::ReportRequest request;
    request.set_worker_id("bench");
    for (const v1::Lease& each : leases.leases()) {
      v1::CandidateReport* report = request.add_reports();
      report->set_token(each.token());
      *report->mutable_measurement() = ToWire(OkMeasurement(kNs, 30));
    }
    if (request.reports_size() == 0) {  // the space is used up
      submit();
      continue;
    }
    v1::ReportResponse response;
    Require(queue->Report(&report_context, request, &response), "Report");
    done += request.reports_size();
    for (; step <= kSteps && done >= results * step / kSteps; ++step) std::printf("%10ld %8.1f\n", done, ResidentMib());
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) {
  const auto number = [&](int at, int64_t fallback) -> int64_t { return argc > at ? std::atoll(argv[at]) : fallback; };
  std::string folder = (std::filesystem::temp_directory_path() / "mmtune-bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    std::perror(folder.c_str());
    return 1;
  }
  mmtune::SetLogLevel(mmtune::LogLevel::kError);
  const int64_t records = number(1, 1000000), results = number(3, 50000);
  if (records > 0) mmtune::BenchLog(folder, records, std::min(records, number(2, 200000)));
  for (const char* strategy : {"random", "evolutionary"}) {
    if (results > 0) mmtune::BenchCoordinator(folder, results, strategy);
  }
  std::filesystem::remove_all(folder);
  return 0;
}
