// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of mmtune-server under a flood: many clients, each with a connection and a job of its own, some that watch
// a long job and never read, and all of them asking for the status at the same time, while workers report. Prints the
// resident memory after each step and its peak; fails where that is above the limit.
//
// usage: client_flood [clients, default 1000] [watchers, default 20] [trials of a client's job, default 16]
//                     [trials of the watched job, default 20000]
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
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
#include "proto/base/subprocess.h"
#include "proto/wire/convert.h"
#include "proto/wire/protocol.h"
#include "tests/bench/bench_device.h"
#include "tests/ok_measurement.h"

namespace mmtune {
namespace {

constexpr int64_t kLimitMiB = 512;
constexpr int kWorkers = 4;

[[noreturn]] void Fail(const std::string& what) {
  std::fprintf(stderr, "client_flood: %s\n", what.c_str());
  std::exit(1);
}

void Require(const grpc::Status& status, const char* call) {
  if (!status.ok()) Fail(absl::StrCat(call, ": ", status.error_message()));
}

/// A field of /proc/<pid>/status, in MiB.
int64_t StatusMiB(pid_t pid, const std::string& field) {
  std::ifstream file(absl::StrCat("/proc/", pid, "/status"));
  for (std::string word; file >> word;) {
    int64_t kib = 0;
    if (word == field + ":" && file >> kib) return kib >> 10;
  }
  Fail("the server is gone");
}

std::shared_ptr<grpc::Channel> Connect(const std::string& address, int index) {
  grpc::ChannelArguments arguments;
  arguments.SetInt("bench.connection", index);  // a connection of its own
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
}

std::string Submit(v1::Tuning::Stub& stub, int64_t trials) {
  grpc::ClientContext context;
  v1::SubmitJobRequest request;
  request.set_client_request_id(RandomToken());
  *request.mutable_spec()->mutable_problem() = ToWire(MatmulProblem{64, 64, 64});
  request.mutable_spec()->set_strategy("random");
  request.mutable_spec()->set_trials(trials);
  request.mutable_spec()->set_remeasure(true);
  v1::SubmitJobResponse response;
  Require(stub.SubmitJob(&context, request, &response), "SubmitJob");
  return response.job_uuid();
}

/// Leases and reports until there is nothing to do for a second; how many.
int64_t Work(const std::string& address, int index) {
  auto stub = v1::WorkQueue::NewStub(Connect(address, -1 - index));
  const std::string id = absl::StrCat("bench-", index);
  {
    grpc::ClientContext context;
    v1::RegisterRequest request;
    request.set_worker_id(id);
    request.set_min_protocol(kProtocol);
    request.set_max_protocol(kProtocol);
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
    if (leases.leases_size() == 0) return measured;
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
};

class Client {
 public:
  Client(const std::string& address, int index) : stub_(v1::Tuning::NewStub(Connect(address, index))) {}
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

int Run(const Flood& flood, const std::string& folder) {
  const std::string address = absl::StrCat("unix:", folder, "/s");
  SubprocessOptions options;
  options.argv = {MMTUNE_SERVER,           "--listen", address, "--log", absl::StrCat(folder, "/log"),
                  "--max-jobs-per-client", "0"};
  options.output_path = absl::StrCat(folder, "/output");
  absl::StatusOr<Subprocess> server = Subprocess::Spawn(options);
  if (!server.ok()) Fail(std::string(server.status().message()));
  const pid_t pid = server->pid();
  if (!Connect(address, 0)->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(20))) {
    Fail("the server does not listen");
  }
  const auto say = [pid](const std::string& what) {
    std::printf("%-60s %6ld MiB\n", what.c_str(), static_cast<long>(StatusMiB(pid, "VmRSS")));
    std::fflush(stdout);
  };
  say("started");
  Client first(address, 0);
  const std::string watched = Submit(first.stub(), flood.watched_trials);
  std::vector<std::unique_ptr<Client>> watchers, clients;
  for (int i = 0; i < flood.watchers; ++i) {
    watchers.push_back(std::make_unique<Client>(address, 1 + i));
    watchers.back()->Watch(watched);
  }
  for (int i = 0; i < flood.clients; ++i) {
    clients.push_back(std::make_unique<Client>(address, 1 + flood.watchers + i));
    Submit(clients.back()->stub(), flood.trials);
  }
  say(absl::StrCat(flood.clients, " clients with a job each, ", flood.watchers, " watchers"));
  std::vector<std::thread> threads;
  std::vector<int64_t> measured(kWorkers);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kWorkers; ++i) threads.emplace_back([&, i] { measured[i] = Work(address, i); });
  const int answered = AskForStatus(clients);
  say(absl::StrCat(answered, " of ", clients.size(), " answered, asking for the status at once"));
  for (std::thread& thread : threads) thread.join();
  int64_t all = 0;
  for (int64_t n : measured) all += n;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  say(absl::StrCat(all, " results in ", static_cast<int>(seconds), " s"));
  const int64_t peak = StatusMiB(pid, "VmHWM");
  std::printf("%-60s %6ld MiB, limit %ld MiB\n", "peak", static_cast<long>(peak), static_cast<long>(kLimitMiB));
  for (auto& watcher : watchers) watcher->Leave();
  server->Kill();
  return peak <= kLimitMiB ? 0 : 1;
}

}  // namespace
}  // namespace mmtune

int main(int argc, char** argv) {
  const auto number = [&](int at, int64_t otherwise) { return argc > at ? std::atoll(argv[at]) : otherwise; };
  const mmtune::Flood flood{static_cast<int>(number(1, 1000)), static_cast<int>(number(2, 20)), number(3, 16),
                            number(4, 20000)};
  if (absl::Status files = mmtune::AllowOpenFiles(); !files.ok()) mmtune::Fail(std::string(files.message()));
  std::string folder = "/tmp/mmtune-flood-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) mmtune::Fail("no folder");
  const int code = mmtune::Run(flood, folder);
  std::filesystem::remove_all(folder);
  return code;
}
