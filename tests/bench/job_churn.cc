// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of mmtune-server while short jobs come and go: one job after the other, each of a problem of its own, with
// a connection and a watcher of its own, as `tune matmul --server` makes them. Two workers invent the results. Prints
// resident memory and the server's processor time after each 50 jobs, or those of --every. Calls that the server
// refuses because its log cannot be written are repeated, so that the sessions of a database may be ended meanwhile.
//
// usage: job_churn [--log URL of a database, default: a file] [--trials N of each job, default 8]
//                  [--every N, default 50]
//                  [jobs, default 500]
#include <grpcpp/grpcpp.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
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

constexpr int kWorkers = 2;

void Require(const grpc::Status& status, const char* call) {
  if (!status.ok()) FailBench(absl::StrCat(call, ": ", status.error_message()));
}

/// Repeats a call that the server refuses while its log cannot be written, up to a minute.
template <typename Call>
void Repeat(Call call, const char* name) {
  grpc::Status status;
  for (int attempt = 0; attempt < 1200; ++attempt) {
    grpc::ClientContext context;
    status = call(&context);
    if (status.error_code() != grpc::StatusCode::UNAVAILABLE) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  Require(status, name);
}

/// Submits a job and reads its events until it ends.
void RunJob(const ServerEndpoint& server, int number, int64_t trials) {
  auto tuning = v1::Tuning::NewStub(OpenChannel(server, {}));
  v1::SubmitJobRequest request;
  request.set_client_request_id(RandomToken());
  *request.mutable_spec()->mutable_problem() = ToWire(MatmulProblem{16 + number % 64, 16 + number / 64, 64});
  request.mutable_spec()->set_strategy("random");
  request.mutable_spec()->set_trials(trials);
  request.mutable_spec()->set_remeasure(true);
  v1::SubmitJobResponse submitted;
  Repeat([&](grpc::ClientContext* context) { return tuning->SubmitJob(context, request, &submitted); }, "SubmitJob");
  v1::WatchJobRequest watch;
  watch.set_job_uuid(submitted.job_uuid());
  v1::JobEvent event;
  Repeat(
      [&](grpc::ClientContext* context) {
        watch.set_after_seq(event.seq());
        auto events = tuning->WatchJob(context, watch);
        while (events->Read(&event)) {
        }
        return events->Finish();
      },
      "WatchJob");
  if (event.state() != v1::JOB_STATE_DONE) FailBench(absl::StrCat("a job ended otherwise: ", event.message()));
}

/// Leases and reports until the bench is over.
void Work(const ServerEndpoint& server, int index, const std::atomic<bool>& over) {
  auto stub = v1::WorkQueue::NewStub(OpenChannel(server, {}));
  const std::string id = absl::StrCat("bench-", index);
  {
    v1::RegisterRequest request;
    request.set_worker_id(id);
    request.set_protocol(kProtocol);
    *request.add_devices()->mutable_device() = ToWire(BenchDevice());
    v1::RegisterResponse response;
    Repeat([&](grpc::ClientContext* context) { return stub->Register(context, request, &response); }, "Register");
  }
  while (!over) {
    v1::LeaseRequest request;
    request.set_worker_id(id);
    request.set_request_id(RandomToken());
    request.set_device_uuid("bench");
    request.set_max_leases(4);
    request.set_wait_seconds(1);
    v1::LeaseResponse leases;
    Repeat([&](grpc::ClientContext* context) { return over ? grpc::Status() : stub->Lease(context, request, &leases); },
           "Lease");
    if (leases.leases_size() == 0) continue;
    v1::ReportRequest report;
    report.set_worker_id(id);
    for (const v1::Lease& lease : leases.leases()) {
      v1::CandidateReport* one = report.add_reports();
      one->set_token(lease.token());
      *one->mutable_device() = ToWire(BenchDevice());
      *one->mutable_measurement() = ToWire(OkMeasurement(1e7, 30));
    }
    v1::ReportResponse response;
    Repeat([&](grpc::ClientContext* context) { return stub->Report(context, report, &response); }, "Report");
  }
}

void Run(const BenchServerOptions& options, int jobs, int64_t trials, int every) {
  BenchServer server(options);
  std::atomic<bool> over = false;
  std::vector<std::thread> workers;
  for (int i = 0; i < kWorkers; ++i) {
    workers.emplace_back([&, i] { Work(server.endpoint(Role::kWorker), i, over); });
  }
  std::printf("%6s %8s %12s\n", "jobs", "RSS KiB", "server CPU s");
  for (int number = 0; number <= jobs; ++number) {
    if (number % every == 0) {
      std::printf("%6d %8ld %12.2f\n", number, static_cast<long>(server.StatusKiB("VmRSS")), server.CpuSeconds());
      std::fflush(stdout);
    }
    if (number < jobs) RunJob(server.endpoint(Role::kClient), number, trials);
  }
  over = true;
  for (std::thread& worker : workers) worker.join();
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) {
  CLI::App app("The memory of mmtune-server while short jobs come and go", "job_churn");
  mmtune::BenchServerOptions options;
  options.executable = MMTUNE_SERVER;
  int jobs = 500, every = 50;
  int64_t trials = 8;
  app.add_option("--log", options.log, "The URL of a database; default: a file");
  app.add_option("--trials", trials, "Of each job")->check(mmtune::IntegerFrom<int64_t>(1));
  app.add_option("--every", every, "Jobs between two lines")->check(mmtune::IntegerFrom(1));
  app.add_option("jobs", jobs, "How many")->check(mmtune::IntegerFrom(1));
  CLI11_PARSE(app, argc, argv);
  if (absl::Status files = mmtune::AllowFilesAndThreads(); !files.ok()) mmtune::FailBench(std::string(files.message()));
  std::string folder = "/tmp/mmtune-churn-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) mmtune::FailBench("no folder");
  options.folder = folder;
  mmtune::Run(options, jobs, trials, every);
  std::filesystem::remove_all(folder);
  return 0;
}
