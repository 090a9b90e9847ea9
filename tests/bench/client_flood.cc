// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmtune-server under a flood: many clients, each with a connection and a job of its own, some that watch a long job
// and never read, and all of them asking for the status at the same time, while workers report. Meanwhile a neighbour
// runs small jobs, as a user would. Prints the resident memory after each step and its peak, and how the neighbour was
// served; fails where the peak is above the limit, or the neighbour was not served within the patience of `tune`. With
// --any-speed, for a machine that may be slow, the neighbour's patience is without limit.
//
// usage: client_flood [--mtls] [--any-speed] [clients, default 1000] [watchers, default 20] [trials of a client's job,
// default 16]
//                     [trials of the watched job, default 20000]
#include <grpcpp/grpcpp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
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

using Time = std::chrono::steady_clock;

constexpr int64_t kLimitMiB = 512;
constexpr int kWorkers = 4;
/// For so long `tune` tries a call that is refused because the server is overloaded, and waits for an answer.
constexpr std::chrono::seconds kPatience{5};
constexpr std::chrono::minutes kAnyPatience{10};

void Require(const grpc::Status& status, const char* call) {
  if (!status.ok()) FailBench(absl::StrCat(call, ": ", status.error_message()));
}

double SecondsSince(Time::time_point start) { return std::chrono::duration<double>(Time::now() - start).count(); }

v1::SubmitJobRequest SmallJob(int64_t trials) {
  v1::SubmitJobRequest request;
  request.set_client_request_id(RandomToken());
  *request.mutable_spec()->mutable_problem() = ToWire(MatmulProblem{64, 64, 64});
  request.mutable_spec()->set_strategy("random");
  request.mutable_spec()->set_trials(trials);
  request.mutable_spec()->set_remeasure(true);
  return request;
}

std::string Submit(v1::Tuning::Stub& stub, int64_t trials) {
  grpc::ClientContext context;
  v1::SubmitJobResponse response;
  Require(stub.SubmitJob(&context, SmallJob(trials), &response), "SubmitJob");
  return response.job_uuid();
}

bool IsDone(v1::Tuning::Stub& stub, const std::string& job_uuid) {
  grpc::ClientContext context;
  v1::GetJobRequest request;
  request.set_job_uuid(job_uuid);
  v1::Job job;
  Require(stub.GetJob(&context, request, &job), "GetJob");
  return job.state() == v1::JOB_STATE_DONE;
}

/// A user who runs one small job after the other on a connection of its own, in a thread, until it is told to stop; the
/// job in progress is waited for.
class Neighbour {
 public:
  Neighbour(const ServerEndpoint& server, std::chrono::seconds patience)
      : stub_(v1::Tuning::NewStub(OpenChannel(server, {}))), patience_(patience) {
    thread_ = std::thread([this] { Run(); });
  }
  void Stop() {
    stopping_ = true;
    thread_.join();
  }
  int jobs() const { return jobs_; }
  int refusals() const { return refusals_; }
  /// The time of a call, including refused tries.
  double slowest_seconds() const { return slowest_; }
  const std::string& trouble() const { return trouble_; }

 private:
  void Run() {
    while (!stopping_ && trouble_.empty()) {
      v1::SubmitJobResponse submitted;
      if (!Call(&v1::Tuning::Stub::SubmitJob, SmallJob(2), &submitted)) return;
      v1::GetJobRequest get;
      get.set_job_uuid(submitted.job_uuid());
      v1::Job job;
      do {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        if (!Call(&v1::Tuning::Stub::GetJob, get, &job)) return;
      } while (job.state() == v1::JOB_STATE_WAITING || job.state() == v1::JOB_STATE_RUNNING);
      if (job.state() != v1::JOB_STATE_DONE) trouble_ = absl::StrCat("its job ended otherwise: ", job.message());
      ++jobs_;
    }
  }

  template <typename Request, typename Response>
  bool Call(grpc::Status (v1::Tuning::Stub::*method)(grpc::ClientContext*, const Request&, Response*),
            const Request& request, Response* response) {
    const Time::time_point start = Time::now();
    while (true) {
      grpc::ClientContext context;
      context.set_deadline(std::chrono::system_clock::now() + patience_);
      const grpc::Status status = ((*stub_).*method)(&context, request, response);
      slowest_ = std::max(slowest_, SecondsSince(start));
      if (status.ok()) return true;
      const bool overloaded = status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED;
      if (!overloaded || Time::now() - start > patience_) {
        trouble_ = absl::StrCat("code ", static_cast<int>(status.error_code()), ", ", status.error_message());
        return false;
      }
      ++refusals_;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }

  std::unique_ptr<v1::Tuning::Stub> stub_;
  const std::chrono::seconds patience_;
  std::atomic<bool> stopping_ = false;
  int jobs_ = 0, refusals_ = 0;
  double slowest_ = 0;
  std::string trouble_;
  std::thread thread_;
};

/// Leases and reports until nobody submits jobs any more and there is nothing to do for a second; how many.
int64_t Work(const ServerEndpoint& server, int index, const std::atomic<bool>& over) {
  auto stub = v1::WorkQueue::NewStub(OpenChannel(server, {}));
  const std::string id = absl::StrCat("bench-", index);
  {
    grpc::ClientContext context;
    v1::RegisterRequest request;
    request.set_worker_id(id);
    request.set_protocol(kProtocol);
    *request.add_devices()->mutable_device() = ToWire(BenchDevice());
    v1::RegisterResponse response;
    Require(stub->Register(&context, request, &response), "Register");
  }
  int64_t measured = 0;
  while (true) {
    v1::LeaseResponse leases;
    {
      grpc::ClientContext context;
      v1::LeaseRequest request;
      request.set_worker_id(id);
      request.set_request_id(RandomToken());
      request.set_device_uuid("bench");
      request.set_max_leases(32);
      request.set_wait_seconds(1);
      Require(stub->Lease(&context, request, &leases), "Lease");
    }
    if (leases.leases_size() == 0 && over) return measured;
    if (leases.leases_size() == 0) continue;
    grpc::ClientContext context;
    v1::ReportRequest request;
    request.set_worker_id(id);
    for (const v1::Lease& lease : leases.leases()) {
      v1::CandidateReport* report = request.add_reports();
      report->set_token(lease.token());
      *report->mutable_device() = ToWire(BenchDevice());
      *report->mutable_measurement() = ToWire(OkMeasurement(1e7, 30));
    }
    v1::ReportResponse response;
    Require(stub->Report(&context, request, &response), "Report");
    measured += leases.leases_size();
  }
}

struct Flood {
  int clients, watchers;
  int64_t trials, watched_trials;
  bool any_speed = false;
};

class Client {
 public:
  explicit Client(const ServerEndpoint& server) : stub_(v1::Tuning::NewStub(OpenChannel(server, {}))) {}
  v1::Tuning::Stub& stub() { return *stub_; }
  /// Opens a stream that is never read.
  void Watch(const std::string& uuid) {
    v1::WatchJobRequest request;
    request.set_job_uuid(uuid);
    stream_ = stub_->WatchJob(&watching_, request);
  }
  void Leave() {
    watching_.TryCancel();
    if (stream_ != nullptr) stream_->Finish();
  }
  /// For a call that is under way while others are.
  grpc::ClientContext asking;
  v1::GetServerInfoRequest request;
  v1::ServerInfo info;

 private:
  std::unique_ptr<v1::Tuning::Stub> stub_;
  grpc::ClientContext watching_;
  std::unique_ptr<grpc::ClientReader<v1::JobEvent>> stream_;
};

/// All at the same time. How many were answered; the others were refused.
int AskForStatus(std::vector<std::unique_ptr<Client>>& clients) {
  std::mutex mutex;
  std::condition_variable changed;
  size_t ended = 0;
  int answered = 0;
  for (auto& client : clients) {
    client->stub().async()->GetServerInfo(&client->asking, &client->request, &client->info, [&](grpc::Status status) {
      std::lock_guard lock(mutex);
      answered += status.ok();
      ++ended;
      changed.notify_one();
    });
  }
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return ended == clients.size(); });
  return answered;
}

int Run(const Flood& flood, const BenchServerOptions& options) {
  BenchServer server(options);
  const ServerEndpoint as_client = server.endpoint(Role::kClient), as_worker = server.endpoint(Role::kWorker);
  const auto say = [&server](const std::string& what) {
    std::printf("%-72s %6ld MiB\n", what.c_str(), static_cast<long>(server.StatusKiB("VmRSS") >> 10));
    std::fflush(stdout);
  };
  say("started");
  Client first(as_client);
  const std::string watched = Submit(first.stub(), flood.watched_trials);
  std::vector<std::unique_ptr<Client>> watchers, clients;
  for (int i = 0; i < flood.watchers; ++i) {
    watchers.push_back(std::make_unique<Client>(as_client));
    watchers.back()->Watch(watched);
  }
  for (int i = 0; i < flood.clients; ++i) {
    clients.push_back(std::make_unique<Client>(as_client));
    Submit(clients.back()->stub(), flood.trials);
  }
  say(absl::StrCat(flood.clients, " clients with a job each, ", flood.watchers, " watchers"));
  std::vector<std::thread> threads;
  std::vector<int64_t> measured(kWorkers);
  Neighbour neighbour(as_client, flood.any_speed ? kAnyPatience : kPatience);
  const Time::time_point start = Time::now();
  std::atomic<bool> over = false;
  for (int i = 0; i < kWorkers; ++i) threads.emplace_back([&, i] { measured[i] = Work(as_worker, i, over); });
  const int answered = AskForStatus(clients);
  say(absl::StrCat(answered, " of ", clients.size(), " answered, asking for the status at once"));
  while (!IsDone(first.stub(), watched)) std::this_thread::sleep_for(std::chrono::milliseconds(200));
  neighbour.Stop();
  over = true;
  for (std::thread& thread : threads) thread.join();
  int64_t all = 0;
  for (int64_t n : measured) all += n;
  say(absl::StrCat(all, " results in ", static_cast<int>(SecondsSince(start)), " s"));
  const int64_t peak = server.StatusKiB("VmHWM") >> 10;
  std::printf("%-72s %6ld MiB, limit %ld MiB\n", "peak", static_cast<long>(peak), static_cast<long>(kLimitMiB));
  std::printf("%d jobs of a neighbour, its slowest call %.2f s, %d tries refused%s%s\n", neighbour.jobs(),
              neighbour.slowest_seconds(), neighbour.refusals(),
              neighbour.trouble().empty() ? "" : "; not served: ", neighbour.trouble().c_str());
  for (auto& watcher : watchers) watcher->Leave();
  return peak <= kLimitMiB && neighbour.jobs() > 0 && neighbour.trouble().empty() ? 0 : 1;
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) {
  CLI::App app("The memory of mmtune-server under a flood, and how others are served meanwhile", "client_flood");
  mmtune::BenchServerOptions options;
  options.executable = MMTUNE_SERVER;
  options.more = {"--max-jobs-per-client", "0"};
  mmtune::Flood flood{1000, 20, 16, 20000};
  app.add_flag("--mtls", options.mtls, "Mutual TLS on a loopback address instead of a UNIX socket");
  app.add_flag("--any-speed", flood.any_speed, "The neighbour waits for as long as it takes");
  app.add_option("clients", flood.clients, "How many")->check(mmtune::IntegerFrom(1));
  app.add_option("watchers", flood.watchers, "How many")->check(mmtune::IntegerFrom(0));
  app.add_option("trials", flood.trials, "Of a client's job")->check(mmtune::IntegerFrom<int64_t>(1));
  app.add_option("watched", flood.watched_trials, "Trials of the watched job")->check(mmtune::IntegerFrom<int64_t>(1));
  CLI11_PARSE(app, argc, argv);
  if (absl::Status files = mmtune::AllowFilesAndThreads(); !files.ok()) mmtune::FailBench(std::string(files.message()));
  std::string folder = "/tmp/mmtune-flood-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) mmtune::FailBench("no folder");
  options.folder = folder;
  const int code = mmtune::Run(flood, options);
  std::filesystem::remove_all(folder);
  return code;
}
