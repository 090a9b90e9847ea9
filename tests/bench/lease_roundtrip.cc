// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one candidate costs the service: lease and report round trips, each answered after its commit, over a UNIX
// socket, or mutual TLS on loopback, and a log on disk. Prints a table: by number of workers, medians and rates.
//
// usage: lease_roundtrip [--mtls] [--workers N, default 1, 8 and 64 in turn]
//                        [candidates per run, default 1000] [folder of the log, default /tmp]
#include <grpcpp/grpcpp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "mmtune/v1/tuning.grpc.pb.h"
#include "mmtune/v1/work_queue.grpc.pb.h"
#include "proto/base/digest.h"
#include "proto/base/log.h"
#include "proto/base/program_options.h"
#include "proto/tls/authority.h"
#include "proto/tls/channel.h"
#include "proto/wire/convert.h"
#include "proto/wire/protocol.h"
#include "server/server.h"
#include "tests/bench/bench_device.h"
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

void Require(const grpc::Status& status, const char* call) {
  if (status.ok()) return;
  std::fprintf(stderr, "lease_roundtrip: %s: %s\n", call, status.error_message().c_str());
  std::exit(1);
}

/// An authority in the folder, and certificates of a server, a worker and a client; whom they dial and how.
class Certificates {
 public:
  explicit Certificates(std::string folder) : folder_(std::move(folder)) {
    Check(CreateAuthority(folder_ + "/ca", "bench", kSeconds));
    Issue({std::nullopt, "server", {"127.0.0.1"}, kSeconds});
    Issue({Identity{Role::kWorker, "worker"}, "worker", {}, kSeconds});
    Issue({Identity{Role::kClient, "client"}, "client", {}, kSeconds});
  }
  TlsFiles Of(const std::string& name) const {
    return {folder_ + "/ca/ca.crt", folder_ + "/" + name + ".crt", folder_ + "/" + name + ".key"};
  }

 private:
  static constexpr int64_t kSeconds = 24 * 3600;
  void Issue(const CertificateRequest& request) {
    Check(IssueCertificate(folder_ + "/ca", request, folder_, /*force=*/false).status());
  }
  static void Check(const absl::Status& status) {
    if (status.ok()) return;
    std::fprintf(stderr, "lease_roundtrip: %s\n", std::string(status.message()).c_str());
    std::exit(1);
  }
  const std::string folder_;
};

/// A worker that measures nothing: every candidate takes a microsecond, it says.
class BenchWorker {
 public:
  BenchWorker(const ServerEndpoint& server, int index) : id_("bench-" + std::to_string(index)) {
    stub_ = v1::WorkQueue::NewStub(OpenChannel(server, {}));  // a connection of its own
    grpc::ClientContext context;
    v1::RegisterRequest request;
    request.set_worker_id(id_);
    request.set_min_protocol(kProtocol);
    request.set_max_protocol(kProtocol);
    *request.add_devices()->mutable_device() = ToWire(BenchDevice());
    v1::RegisterResponse response;
    Require(stub_->Register(&context, request, &response), "Register");
  }

  void Run() {
    while (true) {
      v1::LeaseResponse leases;
      Time::time_point start = Time::now();
      {
        grpc::ClientContext context;
        v1::LeaseRequest request;
        request.set_worker_id(id_);
        request.set_request_id(RandomToken());
        request.set_device_uuid("bench");
        request.set_max_leases(1);
        Require(stub_->Lease(&context, request, &leases), "Lease");
      }
      if (leases.leases_size() == 0) return;
      lease_ms.push_back(MillisSince(start));
      start = Time::now();
      Report(leases.leases(0).token());
      report_ms.push_back(MillisSince(start));
    }
  }

  std::vector<double> lease_ms, report_ms;

 private:
  void Report(const std::string& token) {
    grpc::ClientContext context;
    v1::ReportRequest request;
    request.set_worker_id(id_);
    v1::CandidateReport* report = request.add_reports();
    report->set_token(token);
    *report->mutable_device() = ToWire(BenchDevice());
    *report->mutable_measurement() = ToWire(OkMeasurement(1e7, 30));
    v1::ReportResponse response;
    Require(stub_->Report(&context, request, &response), "Report");
  }

  const std::string id_;
  std::unique_ptr<v1::WorkQueue::Stub> stub_;
};

/// `certificates` is null where there is no TLS.
void RunOnce(const std::string& folder, int workers, int candidates, const Certificates* certificates) {
  ServerOptions options;
  options.listen = certificates ? "127.0.0.1:0" : "unix:" + folder + "/s";
  if (certificates) options.tls = certificates->Of("server");
  options.log_path = folder + "/bench-" + std::to_string(workers) + ".log";
  absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(options);
  if (!server.ok()) {
    std::fprintf(stderr, "lease_roundtrip: %s\n", std::string(server.status().message()).c_str());
    std::exit(1);
  }
  const std::string address = (*server)->address();
  auto endpoint = [&](const char* name) {
    return ServerEndpoint{address, certificates ? certificates->Of(name) : TlsFiles()};
  };
  auto tuning = v1::Tuning::NewStub(OpenChannel(endpoint("client"), {}));
  std::vector<std::unique_ptr<BenchWorker>> pool;
  for (int i = 0; i < workers; ++i) pool.push_back(std::make_unique<BenchWorker>(endpoint("worker"), i));
  {
    grpc::ClientContext context;
    v1::SubmitJobRequest request;
    request.set_client_request_id("bench");
    *request.mutable_spec()->mutable_problem() = ToWire(MatmulProblem{1024, 1024, 1024});
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
  const Time::time_point start = Time::now();
  std::vector<std::thread> threads;
  for (auto& worker : pool) threads.emplace_back([&worker] { worker->Run(); });
  for (std::thread& thread : threads) thread.join();
  const double seconds = MillisSince(start) / 1000;
  std::vector<double> lease, report;
  for (const auto& worker : pool) {
    lease.insert(lease.end(), worker->lease_ms.begin(), worker->lease_ms.end());
    report.insert(report.end(), worker->report_ms.begin(), worker->report_ms.end());
  }
  std::printf("%8d %11zu %10.2f %10.2f %11.2f %11.2f %13.2f %12.0f\n", workers, lease.size(), Quantile(lease, 0.5),
              Quantile(lease, 0.99), Quantile(report, 0.5), Quantile(report, 0.99),
              Quantile(lease, 0.5) + Quantile(report, 0.5), static_cast<double>(lease.size()) / seconds);
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) {
  CLI::App app("Lease and report round trips by number of workers", "lease_roundtrip");
  bool mtls = false;
  std::vector<int> workers = {1, 8, 64};
  int candidates = 1000;
  std::string folder = "/tmp";
  app.add_flag("--mtls", mtls, "Mutual TLS on a loopback address instead of a UNIX socket");
  app.add_option("--workers", workers, "How many, run after run; with commas between them")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(mmtune::IntegerFrom(1, 256));
  app.add_option("candidates", candidates, "Of each run")->check(mmtune::IntegerFrom(1));
  app.add_option("folder", folder, "Of the log");
  CLI11_PARSE(app, argc, argv);
  folder += "/mmtune-bench-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) {
    std::perror(folder.c_str());
    return 1;
  }
  std::printf("%8s %11s %10s %10s %11s %11s %13s %12s\n", "workers", "candidates", "lease ms", "lease p99", "report ms",
              "report p99", "both ms (p50)", "candidates/s");
  std::unique_ptr<mmtune::Certificates> certificates;
  if (mtls) certificates = std::make_unique<mmtune::Certificates>(folder);
  for (int count : workers) mmtune::RunOnce(folder, count, candidates, certificates.get());
  std::filesystem::remove_all(folder);
  return 0;
}
