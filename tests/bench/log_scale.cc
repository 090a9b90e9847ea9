// The tuning log and the coordinator at scale: the time of an import, `tune records list` and `best` over a long log,
// and what the coordinator's memory does while results come in. Prints a table for each.
//
// usage: log_scale [records, default 1000000] [of these imported at once, default 200000] [results, default 50000]
// The logs lie in TMPDIR and take about 3 GiB for a million records.
#include <grpcpp/grpcpp.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "db/tuning_log.h"
#include "mmtune/v1/tuning.grpc.pb.h"
#include "mmtune/v1/work_queue.grpc.pb.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/subprocess.h"
#include "proto/wire/convert.h"
#include "proto/wire/protocol.h"
#include "server/server.h"

namespace mmtune {
namespace {

constexpr int64_t kProblems = 1000;
constexpr int kSteps = 5;

using Time = std::chrono::steady_clock;

double SecondsSince(Time::time_point start) { return std::chrono::duration<double>(Time::now() - start).count(); }

[[noreturn]] void Fail(const char* what, absl::string_view why) {
  std::fprintf(stderr, "log_scale: %s: %.*s\n", what, static_cast<int>(why.size()), why.data());
  std::exit(1);
}

DeviceInfo BenchDevice() {
  DeviceInfo device = *ArchitectureLimits("sm_80");
  device.kind = DeviceKind::kSimt;
  device.name = "bench";
  device.uuid = "bench";
  device.memory_bytes = int64_t{1} << 30;
  return device;
}

Measurement BenchMeasurement() {
  Measurement measurement;
  measurement.timing.samples_ns.assign(30, 1.2345678e8);
  measurement.timing.median_ns = measurement.timing.low_ns = measurement.timing.high_ns = 1.2345678e8;
  measurement.timing.regime = "warm";
  measurement.check.performed = measurement.check.passed = true;
  measurement.proof.performed = measurement.proof.passed = measurement.proof.correct = true;
  return measurement;
}

/// Lines of records that differ in uuid, job, problem, schedule and time; made by replacing words of one line.
class Lines {
 public:
  Lines() {
    TuningRecord record;
    record.uuid = "UUID";
    record.job_uuid = "JOB";
    record.problem = {1024, 1024, 777777};
    record.schedule = {
        "simt",
        {{"bk", 16}, {"bm", 128}, {"bn", 128}, {"lm", 8}, {"stages", 3}, {"tm", 8}, {"tn", 8}, {"variant", 888888}}};
    record.device = BenchDevice();
    record.toolchain = {"0.1.0", "22.1.8", "ptxas 13.0", "simt=1"};
    record.measurement = BenchMeasurement();
    record.measurement.timing.median_ns = 999999;
    template_ = RecordToJson(record);
  }
  bool Next(int64_t end, std::string* line) {
    if (number_ == end) return false;
    const int64_t n = number_++;
    *line = absl::StrReplaceAll(template_, {{"UUID", RandomToken()},
                                            {"JOB", absl::StrCat("job-", n / 200)},
                                            {"777777", absl::StrCat(256 + n / 200 % kProblems)},
                                            {"888888", absl::StrCat(n)},
                                            {"999999", absl::StrCat(1000000 + n * 7919 % 1000003)}});
    return true;
  }

 private:
  std::string template_;
  int64_t number_ = 0;
};

double Import(const std::string& path, Lines& lines, int64_t end) {
  const Time::time_point start = Time::now();
  auto log = OpenTuningLog(path, {.endpoint = "", .bulk = true});
  if (!log.ok()) Fail("open", log.status().message());
  auto imported = ImportJsonl(**log, [&](std::string* line) { return lines.Next(end, line); });
  if (!imported.ok()) Fail("import", imported.status().message());
  log->reset();
  return SecondsSince(start);
}

/// The median of several runs of the whole command, its start included.
double CommandMillis(const std::string& folder, std::vector<std::string> words) {
  std::vector<double> millis;
  for (int i = 0; i < 9; ++i) {
    SubprocessOptions options;
    options.argv = {MMTUNE_TUNE, "records"};
    options.argv.insert(options.argv.end(), words.begin(), words.end());
    options.output_path = folder + "/out";
    const Time::time_point start = Time::now();
    auto process = Subprocess::Spawn(options);
    if (!process.ok()) Fail("tune", process.status().message());
    while (!process->Wait(std::chrono::milliseconds(1000))) {
    }
    millis.push_back(1000 * SecondsSince(start));
  }
  std::nth_element(millis.begin(), millis.begin() + 4, millis.end());
  return millis[4];
}

void BenchLog(const std::string& folder, int64_t records, int64_t at_once) {
  const std::string path = folder + "/log.db";
  Lines lines;
  const double seconds = Import(path, lines, at_once);
  std::printf("import of %ld records  %8.1f s\n", at_once, seconds);
  std::fflush(stdout);
  for (int64_t end = at_once; end < records;) Import(path, lines, end = std::min(end + at_once, records));
  std::printf("\nover %ld records, whole command [ms]\n", records);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"list"},
                                                {"list", "--problem", "1024x1024x300"},
                                                {"list", "--outcome", "ok", "--json", "--limit", "20"},
                                                {"best"},
                                                {"best", "--problem", "1024x1024x300"},
                                                {"show", "1"}}) {
    std::string text;
    for (const std::string& word : words) absl::StrAppend(&text, word, " ");
    std::vector<std::string> with_log = words;
    with_log.insert(with_log.end(), {"--log", path});
    std::printf("%-40s %8.1f\n", text.c_str(), CommandMillis(folder, with_log));
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
  std::printf("\ncoordinator, %s search: resident [MiB] after results\n", strategy.c_str());
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
      *report->mutable_measurement() = ToWire(BenchMeasurement());
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
