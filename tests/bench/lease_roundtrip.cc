// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one candidate costs the service: lease and report round trips, each answered after its commit, with an
// mmtune-server in a process of its own, over a UNIX socket, or mutual TLS on loopback, and a log on disk. The workers
// are in this process, each with a connection of its own, and share the processors with the server. A candidate takes
// two calls, Lease and Report, or one, a Report that asks for the next lease; for comparison, "0" are as many calls of
// the health service, which do nothing: what any call costs here at least. Prints a table: by calls and workers, the
// time of a candidate, the rate, and the processor time of a candidate: the server's, that of the workers, and both.
// The time is, in two calls, from asking for the candidate to its acknowledged report; in one call, that call's: a
// report, its acknowledgement and the next lease. The rate depends on what else the machine does. A server that has two
// processors to itself, because its workers are elsewhere, does at most 2000 / "server CPU ms" candidates a second; one
// that shares them with its workers 2000 / "both CPU ms".
//
// With --log URL the log is in a database, and with --coordinators N so many servers share it: each has a job, and the
// same share of the workers and of the candidates. With --pause MS a worker measures for half to one and a half times
// as long between its calls, so that the rate is that of the workers and not the most that the service takes. With
// --warm-up N the times of each worker's first N candidates are left out of p50 and p99: in a new session PostgreSQL
// reads its catalogue and plans statements.
//
// usage: lease_roundtrip [--mtls] [--log URL] [--coordinators N, default 1] [--workers N, default 1, 8 and 64 in turn]
// [--calls N, default 2 and 1 in turn] [--pause MS, default 0] [--warm-up N, default 0]
//                        [--server FILE, in turn with ours] [--rounds N, how often, default 1]
//                        [candidates per run, default 1000, at most 4500] [folder of the log, default /tmp]
#include <grpcpp/alarm.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/blocking_counter.h"
#include "mmtune/v1/tuning.grpc.pb.h"
#include "mmtune/v1/work_queue.grpc.pb.h"
#include "proto/base/digest.h"
#include "proto/base/process_guard.h"
#include "proto/command_line/validators.h"
#include "proto/tls/channel.h"
#include "proto/wire/convert.h"
#include "tests/bench/bench_device.h"
#include "tests/bench/bench_server.h"
#include "tests/ok_measurement.h"

namespace mmtune {
namespace {

using Time = std::chrono::steady_clock;

double MillisSince(Time::time_point start) {
  return std::chrono::duration<double, std::milli>(Time::now() - start).count();
}

double Quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  const size_t at = std::min(values.size() - 1, static_cast<size_t>(q * static_cast<double>(values.size())));
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(at), values.end());
  return values[at];
}

/// User and system time of this process.
double OwnCpuSeconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * time.tv_usec; };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

void Require(const grpc::Status& status, const char* call) {
  if (!status.ok()) FailBench(absl::StrCat(call, ": ", status.error_message()));
}

/// A worker that measures nothing: every candidate takes 10 to 20 ms, it says. One call follows the other, on gRPC's
/// own threads.
class BenchWorker {
 public:
  /// `calls` per candidate: 2, or 1. It measures for half to one and a half times `pause_ms`.
  BenchWorker(const ServerEndpoint& server, int index, int calls, int pause_ms)
      : id_("bench-" + std::to_string(index)), calls_(calls), pause_ms_(pause_ms) {
    std::shared_ptr<grpc::Channel> channel = OpenChannel(server, {});  // a connection of its own
    stub_ = v1::WorkQueue::NewStub(channel);
    any_stub_ = std::make_unique<grpc::GenericStub>(channel);
    grpc::ClientContext context;
    v1::RegisterRequest request;
    request.set_worker_id(id_);
    request.set_protocol(kProtocol);
    *request.add_devices()->mutable_device() = ToWire(BenchDevice());
    v1::RegisterResponse response;
    Require(stub_->Register(&context, request, &response), "Register");
    report_.set_worker_id(id_);
    v1::CandidateReport& report = *report_.add_reports();
    *report.mutable_device() = ToWire(BenchDevice());
  }

  /// Until there is nothing to lease; `done` is told then.
  void Start(absl::BlockingCounter& done) {
    done_ = &done;
    Lease();
  }
  /// So many calls that do nothing.
  void StartEmpty(int calls, absl::BlockingCounter& done) {
    done_ = &done;
    CallNothing(calls);
  }

  std::vector<double> ms;  ///< One for each candidate.

 private:
  void Ask(v1::LeaseRequest& request) const {
    request.set_worker_id(id_);
    request.set_request_id(RandomToken());
    request.set_device_uuid("bench");
    request.set_max_leases(1);
  }

  void Lease() {
    context_.emplace();
    Ask(lease_);
    started_ = Time::now();
    stub_->async()->Lease(&*context_, &lease_, &leases_, [this](const grpc::Status& status) {
      Require(status, "Lease");
      leasing_ms_ = calls_ == 2 ? MillisSince(started_) : 0;
      Measure();
    });
  }

  /// Reports after the pause, unless there was nothing to lease.
  void Measure() {
    if (leases_.leases().empty()) return (void)done_->DecrementCount();
    if (pause_ms_ == 0) return Report();
    const auto pause = std::chrono::duration<double, std::milli>(
        pause_ms_ * std::uniform_real_distribution<double>(0.5, 1.5)(random_));
    alarm_.emplace();
    alarm_->Set(std::chrono::system_clock::now() + std::chrono::duration_cast<std::chrono::microseconds>(pause),
                [this](bool) { Report(); });
  }

  void Report() {
    context_.emplace();
    v1::CandidateReport& report = *report_.mutable_reports(0);
    report.set_token(leases_.leases(0).token());
    *report.mutable_measurement() =
        ToWire(OkMeasurement(std::uniform_real_distribution<double>(1e7, 2e7)(random_), 30));
    if (calls_ == 1) Ask(*report_.mutable_next());
    started_ = Time::now();
    stub_->async()->Report(&*context_, &report_, &reported_, [this](const grpc::Status& status) {
      Require(status, "Report");
      ms.push_back(std::exchange(leasing_ms_, 0) + MillisSince(started_));
      if (!reported_.has_next()) return Lease();
      leases_ = reported_.next();
      Measure();
    });
  }

  void CallNothing(int calls) {
    if (calls == 0) return (void)done_->DecrementCount();
    context_.emplace();
    nothing_.Clear();
    started_ = Time::now();
    any_stub_->UnaryCall(&*context_, "/grpc.health.v1.Health/Check", {}, &empty_, &nothing_,
                         [this, calls](const grpc::Status& status) {
                           Require(status, "Check");
                           ms.push_back(MillisSince(started_));
                           CallNothing(calls - 1);
                         });
  }

  const std::string id_;
  const int calls_, pause_ms_;
  std::unique_ptr<v1::WorkQueue::Stub> stub_;
  std::unique_ptr<grpc::GenericStub> any_stub_;
  absl::BlockingCounter* done_ = nullptr;
  Time::time_point started_;
  double leasing_ms_ = 0;  ///< How long the lease took, if that is a call of its own.
  std::optional<grpc::ClientContext> context_;
  std::optional<grpc::Alarm> alarm_;
  v1::LeaseRequest lease_;
  v1::LeaseResponse leases_;
  v1::ReportRequest report_;
  v1::ReportResponse reported_;
  std::minstd_rand random_{std::random_device{}()};
  const grpc::Slice no_bytes_{""};
  const grpc::ByteBuffer empty_{&no_bytes_, 1};
  grpc::ByteBuffer nothing_;
};

/// A job of so many candidates, once it runs. Its problem is new, so that a database answers no candidate.
void SubmitJob(const ServerEndpoint& server, int candidates) {
  auto tuning = v1::Tuning::NewStub(OpenChannel(server, {}));
  grpc::ClientContext context;
  v1::SubmitJobRequest request;
  request.set_client_request_id(RandomToken());
  const int64_t drawn = std::random_device{}() % 4096;
  *request.mutable_spec()->mutable_problem() =
      ToWire(MatmulProblem{1024 - 8 * (drawn / 64), 1024 - 8 * (drawn % 64), 1024});
  request.mutable_spec()->set_strategy("random");
  request.mutable_spec()->set_trials(candidates);
  v1::SubmitJobResponse response;
  Require(tuning->SubmitJob(&context, request, &response), "SubmitJob");
  v1::GetJobRequest get;
  get.set_job_uuid(response.job_uuid());
  for (v1::Job job; job.state() != v1::JOB_STATE_RUNNING;) {
    grpc::ClientContext get_context;
    Require(tuning->GetJob(&get_context, get, &job), "GetJob");
  }
}

double CpuSeconds(const std::vector<std::unique_ptr<BenchServer>>& servers) {
  double seconds = 0;
  for (const auto& server : servers) seconds += server->CpuSeconds();
  return seconds;
}

/// Returns how many of `all` the server of this index gets.
int ShareOf(int all, size_t index, size_t servers) {
  return all / static_cast<int>(servers) + (static_cast<int>(index) < all % static_cast<int>(servers) ? 1 : 0);
}

void RunOnce(const BenchServerOptions& options, size_t coordinators, int calls, int workers, int pause_ms,
             size_t warm_up, int candidates, const char* which) {
  std::vector<std::unique_ptr<BenchServer>> servers;
  for (size_t i = 0; i < coordinators; ++i) {
    BenchServerOptions one = options;
    absl::StrAppend(&one.folder, "/", i);
    std::filesystem::create_directories(one.folder);
    servers.push_back(std::make_unique<BenchServer>(one));
  }
  std::vector<std::unique_ptr<BenchWorker>> pool;
  for (int i = 0; i < workers; ++i) {
    const BenchServer& server = *servers[static_cast<size_t>(i) % coordinators];
    pool.push_back(std::make_unique<BenchWorker>(server.endpoint(Role::kWorker), i, calls, pause_ms));
  }
  for (size_t i = 0; calls > 0 && i < coordinators; ++i) {
    SubmitJob(servers[i]->endpoint(Role::kClient), ShareOf(candidates, i, coordinators));
  }
  const double cpu_before = CpuSeconds(servers), own_before = OwnCpuSeconds();
  const Time::time_point start = Time::now();
  absl::BlockingCounter done(workers);
  for (int i = 0; i < workers; ++i) {
    const int share = candidates / workers + (i < candidates % workers ? 1 : 0);
    calls > 0 ? pool[i]->Start(done) : pool[i]->StartEmpty(share, done);
  }
  done.Wait();
  const double seconds = MillisSince(start) / 1000, cpu = CpuSeconds(servers) - cpu_before;
  const double own = OwnCpuSeconds() - own_before;
  std::vector<double> ms;
  size_t measured = 0;
  for (const auto& worker : pool) {
    measured += worker->ms.size();
    const auto skipped = static_cast<ptrdiff_t>(std::min(warm_up, worker->ms.size()));
    ms.insert(ms.end(), worker->ms.begin() + skipped, worker->ms.end());
  }
  if (measured != static_cast<size_t>(candidates)) {
    FailBench(absl::StrCat(measured, " of ", candidates, " candidates were measured"));
  }
  const auto count = static_cast<double>(measured);
  std::printf("%-7s %5d %7d %11zu %8.2f %8.2f %12.0f %13.3f %14.3f %11.3f\n", which, calls, workers, measured,
              Quantile(ms, 0.5), Quantile(ms, 0.99), count / seconds, 1000 * cpu / count, 1000 * own / count,
              1000 * (cpu + own) / count);
  std::fflush(stdout);
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) {
  CLI::App app("Lease and report round trips by number of workers", "lease_roundtrip");
  mmtune::BenchServerOptions options;
  std::vector<int> workers = {1, 8, 64}, calls = {2, 1};
  int candidates = 1000, rounds = 1, coordinators = 1, pause_ms = 0;
  size_t warm_up = 0;
  std::string folder = "/tmp", other;
  app.add_flag("--mtls", options.mtls, "Mutual TLS on a loopback address instead of a UNIX socket");
  app.add_option("--log", options.log, "The URL of a database; default: a file");
  app.add_option("--coordinators", coordinators, "Servers that share the database")->check(mmtune::IntegerFrom(1, 16));
  app.add_option("--workers", workers, "How many, run after run; with commas between them")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(mmtune::IntegerFrom(1, 256));
  app.add_option("--calls", calls, "For each candidate, run after run; 0: empty calls instead")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(mmtune::IntegerFrom(0, 2));
  app.add_option("--pause", pause_ms, "Milliseconds that a worker measures for, about")
      ->check(mmtune::IntegerFrom(0, 60000));
  app.add_option("--warm-up", warm_up, "Candidates of each worker that p50 and p99 leave out");
  app.add_option("--server", other, "Another mmtune-server, in turn with ours")->check(CLI::ExistingFile);
  app.add_option("--rounds", rounds, "How often")->check(mmtune::IntegerFrom(1));
  app.add_option("candidates", candidates, "Of each run")->check(mmtune::IntegerFrom(1));
  app.add_option("folder", folder, "Of the log");
  CLI11_PARSE(app, argc, argv);
  if (coordinators > 1 && options.log.empty())
    mmtune::FailBench("--coordinators needs --log URL: they share a database");
  if (absl::Status files = mmtune::AllowFilesAndThreads(); !files.ok()) mmtune::FailBench(std::string(files.message()));
  folder += "/mmtune-bench-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) {
    std::perror(folder.c_str());
    return 1;
  }
  std::printf("%-7s %5s %7s %11s %8s %8s %12s %13s %14s %11s\n", "server", "calls", "workers", "candidates", "ms p50",
              "ms p99", "candidates/s", "server CPU ms", "workers CPU ms", "both CPU ms");
  int run = 0;
  for (int round = 0; round < rounds; ++round) {
    for (int count : workers) {
      for (int per_candidate : calls) {
        for (const std::string& executable : {other, std::string(MMTUNE_SERVER)}) {
          if (executable.empty()) continue;
          options.executable = executable;
          options.folder = absl::StrCat(folder, "/", run++);
          mmtune::RunOnce(options, static_cast<size_t>(coordinators), per_candidate, count, pause_ms, warm_up,
                          candidates, executable == other ? "other" : "ours");
          std::filesystem::remove_all(options.folder);
        }
      }
    }
  }
  std::filesystem::remove_all(folder);
  return 0;
}
