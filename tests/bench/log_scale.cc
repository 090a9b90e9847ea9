// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tuning log and the coordinator at scale: the time and memory of an import, of commands that read a long log, of a
// server's and a job's start over it, and what the coordinator's memory does while results come in. Prints each beside
// its goal.
//
// usage: log_scale [records, default 1000000] [of these imported at once, default 200000] [results, default 50000]
//                  [samples of a record, default 30]
// The logs lie in TMPDIR and take about 3 GiB for a million records of 30 samples.
#include <grpcpp/grpcpp.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "db/jsonl.h"
#include "db/tuning_log.h"
#include "mmtune/v1/tuning.grpc.pb.h"
#include "mmtune/v1/work_queue.grpc.pb.h"
#include "proto/base/clock.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/wire/convert.h"
#include "server/rpc/server.h"
#include "tests/bench/bench_device.h"
#include "tests/ok_measurement.h"

namespace mmtune {
namespace {

constexpr int64_t kProblems = 1000;
constexpr int64_t kClasses = 4;                           // Of devices, two in each.
constexpr int64_t kOfJob = 200;                           // Records.
constexpr int64_t kToolchains = 3;                        // A few records of the older ones.
constexpr int64_t kFirstFinalist = 2, kLastFinalist = 9;  // Of a job's records: the fast ones, compared with the last.
constexpr size_t kProcesses = 8;                          // Of a comparison.
constexpr int64_t kImportGoalRecords = 200000;
constexpr int kSteps = 5;
constexpr double kNs = 1.2345678e8;

using Time = std::chrono::steady_clock;

double SecondsSince(Time::time_point start) { return Seconds(Time::now() - start); }

[[noreturn]] void Fail(const char* what, absl::string_view why) {
  std::fprintf(stderr, "log_scale: %s: %.*s\n", what, static_cast<int>(why.size()), why.data());
  std::exit(1);
}

MatmulProblem BenchProblem(int64_t job) { return {1024, 1024, 256 + job % kProblems}; }

bool IsFinalist(int64_t number) { return number % kOfJob >= kFirstFinalist && number % kOfJob <= kLastFinalist; }

double BenchTime(int64_t number) {
  std::mt19937_64 random(static_cast<uint64_t>(number));
  return 1e6 * static_cast<double>(1000 + random() % (IsFinalist(number) ? 100 : 9000));
}

Schedule BenchSchedule(int64_t number) {
  return {"fma",
          {{"bk", 16}, {"bm", 128}, {"bn", 128}, {"lm", 8}, {"stages", 3}, {"tm", 8}, {"tn", 8}, {"variant", number}}};
}

DeviceInfo DeviceOfClass(int64_t number) {
  DeviceInfo device = BenchDevice();
  device.multiprocessors += number;
  device.name = absl::StrCat("bench-", number);
  return device;
}

/// Adds a comparison with the last finalist of its job.
Comparison BenchComparison(int64_t number) {
  const int64_t reference = number - number % kOfJob + kLastFinalist;
  Comparison comparison;
  comparison.reference = BenchSchedule(reference);
  comparison.medians_ns.assign(kProcesses, BenchTime(number));
  comparison.reference_medians_ns.assign(kProcesses, BenchTime(reference));
  comparison.ratio = comparison.low = comparison.high = BenchTime(number) / BenchTime(reference);
  comparison.ratios.assign(kProcesses, comparison.ratio);
  return comparison;
}

/// Record `number` of a log: one of kOfJob of its job, each with times, digests and errors of its own, as if measured.
/// Of ten, one is rejected and one of another toolchain than the rest. Of a job, eight were compared.
TuningRecord BenchRecord(int64_t number, size_t samples) {
  const int64_t job = number / kOfJob;
  std::mt19937_64 random(static_cast<uint64_t>(number));
  std::uniform_real_distribution<double> noise(0.99, 1.01);
  TuningRecord record;
  record.uuid = RandomToken();
  record.job_uuid = absl::StrCat("job-", job);
  record.problem = BenchProblem(job);
  record.schedule = BenchSchedule(number);
  record.device = DeviceOfClass(job % kClasses);
  record.device.uuid = absl::StrCat("bench-", job % (2 * kClasses));
  record.toolchain = {absl::StrCat("0.1.", number % 10 == 1 ? number % kToolchains : kToolchains), "22.1.8",
                      "ptxas 13.0", "fma=1"};
  record.worker = "bench";
  record.unix_millis = 1700000000000 + number;
  Measurement& measurement = record.measurement;
  if (number % 10 == 0) {
    measurement.outcome = Outcome::kRejected;
    measurement.message = "registers";
    return record;
  }
  measurement = OkMeasurement(kNs, samples);
  measurement.code_digest = RandomToken() + RandomToken();
  measurement.timing_key = RandomToken() + RandomToken();
  measurement.resources = {128, 0, 33024, 256, 8, 8, 1};
  measurement.verification.correct = measurement.verification.race_free = measurement.verification.deterministic = true;
  measurement.verification.shapes = {"256x256x128", "192x320x96"};
  measurement.verification.fuzzing_runs = 2;
  measurement.verification.digest = RandomToken() + RandomToken();
  measurement.check.tier = "exact, rounding";
  measurement.check.bound_fraction = 0.1 * noise(random);
  measurement.check.relative_error = 1e-8 * noise(random);
  measurement.check.deterministic = true;
  Timing& timing = measurement.timing;
  for (double& sample : timing.samples_ns) sample = std::round(BenchTime(number) * noise(random));
  std::sort(timing.samples_ns.begin(), timing.samples_ns.end());
  const size_t last = samples - 1;
  timing.median_ns = (timing.samples_ns[last / 2] + timing.samples_ns[samples / 2]) / 2;
  timing.low_ns = timing.samples_ns[last / 4];
  timing.high_ns = timing.samples_ns[last - last / 4];
  timing.clock = "steady";
  if (IsFinalist(number) && number % kOfJob < kLastFinalist)
    measurement.conditions.comparison = BenchComparison(number);
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
  double resident_mib;
};

double CpuSeconds(const rusage& usage) {
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * t.tv_usec; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Returns the CPU time of a whole command, including its start.
Cost Command(const std::string& folder, const std::vector<std::string>& words) {
  std::vector<std::string> texts = {MMTUNE_TUNE};
  texts.insert(texts.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& text : texts) argv.push_back(text.data());
  argv.push_back(nullptr);
  const std::string output = folder + "/out";
  const Time::time_point start = Time::now();
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    if (freopen(output.c_str(), "w", stdout) != nullptr) execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child) Fail("tune", strerror(errno));
  const double wall = SecondsSince(start);
  if (status != 0) Fail("tune", absl::StrCat(absl::StrJoin(words, " "), " failed, see ", output));
  return {wall, CpuSeconds(usage), static_cast<double>(usage.ru_maxrss) / 1024};
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
  return {median(&Cost::wall_seconds), median(&Cost::cpu_seconds), median(&Cost::resident_mib)};
}

/// Writes records [begin, end) as JSONL and imports them.
Cost Import(const std::string& folder, const std::string& log, int64_t begin, int64_t end, size_t samples) {
  const std::string path = folder + "/records.jsonl";
  std::ofstream file(path);
  for (int64_t number = begin; number < end; ++number) file << RecordToJson(BenchRecord(number, samples)) << "\n";
  file.close();
  if (!file) Fail("write", path);
  const Cost cost = Command(folder, {"records", "import", path, "--log", log});
  std::filesystem::remove(path);
  return cost;
}

template <typename T>
T Value(const char* what, absl::StatusOr<T> value) {
  if (!value.ok()) Fail(what, value.status().message());
  return *std::move(value);
}

void Check(const char* what, const absl::Status& status) {
  if (!status.ok()) Fail(what, status.message());
}

/// Adds the jobs of `records`, with a candidate and an attempt for each, as a coordinator leaves them.
void AddJobs(const std::string& path, int64_t records) {
  const std::unique_ptr<TuningLog> log = Value("log", OpenTuningLog(path, {}));
  Check("Begin", log->Begin());
  int64_t number = 0;
  for (int64_t job = 0; job * kOfJob < records; ++job) {
    JobRow row;
    row.uuid = absl::StrCat("job-", job);
    row.client_request_id = row.uuid;
    row.problem = BenchProblem(job);
    row.spec = std::string(200, 's');
    row.spec_digest = RandomToken();
    const int64_t id = Value("InsertJob", log->InsertJob(row));
    for (int64_t last = std::min(records, number + kOfJob); number < last; ++number) {
      AttemptRow attempt;
      attempt.token = RandomToken();
      attempt.candidate_id = Value("InsertCandidate", log->InsertCandidate(id, {"fma", {{"variant", number}}}));
      attempt.state = AttemptState::kReported;
      Check("InsertAttempt", log->InsertAttempt(attempt));
    }
    Check("SetJobState", log->SetJobState(id, JobState::kDone, ""));
  }
  Check("Commit", log->Commit());
}

void PrintCost(const std::string& what, const Cost& cost, const char* goal) {
  const bool long_one = cost.wall_seconds >= 1;
  const double unit = long_one ? 1 : 1000;
  const char* name = long_one ? "s " : "ms";
  std::printf("%-44s %7.1f %s %7.1f %s %7.0f MiB %12s\n", what.c_str(), unit * cost.wall_seconds, name,
              unit * cost.cpu_seconds, name, cost.resident_mib, goal);
  std::fflush(stdout);
}

/// Times a command once if it takes a second or more, else takes the median of several runs.
Cost OneOrMedian(const std::string& folder, const std::vector<std::string>& words) {
  const Cost first = Command(folder, words);
  return first.wall_seconds >= 1 ? first : MedianCommand(folder, words);
}

void BenchStart(const std::string& folder, const std::string& log);

void BenchLog(const std::string& folder, int64_t records, int64_t at_once, size_t samples) {
  const std::string log = folder + "/log.db";
  std::printf("%-44s %10s %10s %11s %12s\n", "whole commands", "wall", "CPU", "memory", "goal");
  const Cost first = Import(folder, log, 0, at_once, samples);
  PrintCost(absl::StrCat("import of ", at_once), first, at_once == kImportGoalRecords ? "<= 10 s" : "");
  for (int64_t end = at_once, begin; end < records;) {
    begin = std::exchange(end, std::min(end + at_once, records));
    Import(folder, log, begin, end, samples);
  }
  AddJobs(log, records);
  std::printf("over %ld records, %.1f GiB\n", records,
              static_cast<double>(std::filesystem::file_size(log)) / (int64_t{1} << 30));
  struct Row {
    std::vector<std::string> words;
    const char* goal;
  };
  for (const Row& row :
       {Row{{"records", "list"}, "< 50 ms"}, Row{{"records", "list", "--problem", "1024x1024x300"}, ""},
        Row{{"records", "list", "--outcome", "ok", "--json", "--limit", "20"}, ""}, Row{{"records", "best"}, "< 50 ms"},
        Row{{"records", "best", "--problem", "1024x1024x300"}, ""}, Row{{"records", "show", "1"}, ""},
        Row{{"records", "spec", "-o", folder + "/spec.json", "--force"}, "<= 50 ms"},
        Row{{"explain", "1024x1024x300"}, ""}, Row{{"doctor"}, ""},
        Row{{"report", "-o", folder + "/report.html", "--force"}, "<= 300 MiB"},
        Row{{"report", "-o", folder + "/report.html", "--force", "--against", log}, "<= 300 MiB"},
        Row{{"records", "check"}, ""}}) {
    std::vector<std::string> words = row.words;
    words.insert(words.end(), {"--log", log});
    const std::string name = absl::StrReplaceAll(absl::StrJoin(row.words, " "), {{folder, "."}});
    PrintCost(name, OneOrMedian(folder, words), row.goal);
  }
  // Beside the same without a log.
  if (std::filesystem::exists(std::filesystem::path(MMTUNE_TUNE).parent_path() / "mmtune-compile")) {
    const std::string module = folder + "/empty.mlir", none = folder + "/none.json";
    std::ofstream(module) << "func.func @f(%a: memref<4x4xf32>) { return }\n";
    std::ofstream(none) << R"({"mmtune_tuning_spec": 1, "entries": []})";
    const std::vector<std::string> compile = {"compile", module,          "-o",      folder + "/empty.o", "--device",
                                              "simt",    "--device-name", "bench-0", "--quiet",           "--force"};
    std::vector<std::string> with_log = compile, without = compile;
    with_log.insert(with_log.end(), {"--log", log});
    without.insert(without.end(), {"--spec", none});
    PrintCost("compile --spec", OneOrMedian(folder, without), "");
    PrintCost("compile --log", OneOrMedian(folder, with_log), "50 ms more");
  }
  BenchStart(folder, log);
}

double ResidentMib() {
  int64_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return static_cast<double>(resident * sysconf(_SC_PAGESIZE)) / (1 << 20);
}

void Require(const grpc::Status& status, const char* call) {
  if (!status.ok()) Fail(call, status.error_message());
}

/// A server's start over the log, and that of a job: until the first candidate is leased.
void BenchStart(const std::string& folder, const std::string& log) {
  const auto own = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return CpuSeconds(usage);
  };
  double cpu = own();
  Time::time_point start = Time::now();
  ServerOptions options;
  options.listen = "unix:" + folder + "/start";
  options.log_path = log;
  auto server = Server::Start(options);
  if (!server.ok()) Fail("server", server.status().message());
  PrintCost("server start", {SecondsSince(start), own() - cpu, ResidentMib()}, "<= 2 s");
  cpu = own();
  start = Time::now();
  auto channel = grpc::CreateChannel((*server)->address(), grpc::InsecureChannelCredentials());
  auto tuning = v1::Tuning::NewStub(channel);
  auto queue = v1::WorkQueue::NewStub(channel);
  grpc::ClientContext register_context, submit_context;
  v1::RegisterRequest registration;
  registration.set_worker_id("bench");
  registration.set_protocol(kProtocol);
  *registration.add_devices()->mutable_device() = ToWire(DeviceOfClass(0));
  v1::RegisterResponse registered;
  Require(queue->Register(&register_context, registration, &registered), "Register");
  v1::SubmitJobRequest job;
  job.set_client_request_id("bench-start");
  *job.mutable_spec()->mutable_problem() = ToWire(MatmulProblem{1024, 1024, 511});
  job.mutable_spec()->set_strategy("model");
  job.mutable_spec()->set_trials(10);
  v1::SubmitJobResponse submitted;
  Require(tuning->SubmitJob(&submit_context, job, &submitted), "SubmitJob");
  for (int leases = 0; leases == 0;) {
    grpc::ClientContext context;
    v1::LeaseRequest lease;
    lease.set_worker_id("bench");
    lease.set_request_id(RandomToken());
    lease.set_device_uuid("bench");
    lease.set_max_leases(1);
    lease.set_wait_seconds(3);
    v1::LeaseResponse response;
    Require(queue->Lease(&context, lease, &response), "Lease");
    leases = response.leases_size();
  }
  PrintCost("job start", {SecondsSince(start), own() - cpu, ResidentMib()}, "<= 2 s");
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
  registration.set_protocol(kProtocol);
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
  if (records > 0) {
    mmtune::BenchLog(folder, records, std::min(records, number(2, 200000)), static_cast<size_t>(number(4, 30)));
  }
  for (const char* strategy : {"random", "evolutionary"}) {
    if (results > 0) mmtune::BenchCoordinator(folder, results, strategy);
  }
  std::filesystem::remove_all(folder);
  return 0;
}
