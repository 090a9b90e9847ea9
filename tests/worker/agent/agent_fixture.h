// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An agent with a small coordinator and an evaluator that runs nothing.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/worker/agent/fake_work_queue.h"
#include "worker/agent/agent.h"

namespace mmtune {

/// Ends candidates of the family "quick" at once, others when the test says so or they are stopped.
class FakeEvaluator : public Evaluator {
 public:
  ~FakeEvaluator() override {
    for (std::thread& thread : threads_) thread.join();
  }
  void Start(Candidate candidate, std::shared_ptr<const StopToken> stop, Done done) override {
    {
      absl::MutexLock lock(&mutex_);
      started_.push_back(candidate);
    }
    threads_.emplace_back([this, candidate, stop, done] {
      const bool slow = candidate.schedule.family != "quick";
      while (slow && !released_ && !stop->now() && !(stop->unless_measuring() && candidate.schedule.family == "queued"))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (slow && !released_) return done(absl::CancelledError("stopped"));
      if (candidate.schedule.Get("broken") == 1) return done(absl::UnavailableError("no device"));
      done(Of(candidate));
    });
  }
  int Lookahead() const override { return 3; }
  int CompileLanes(size_t device) const override { return lanes_; }

  void SetLanes(int lanes) { lanes_ = lanes; }
  void ReleaseSlow() { released_ = true; }
  std::vector<Candidate> started() const {
    absl::MutexLock lock(&mutex_);
    return started_;
  }

 private:
  static Measurement Of(const Candidate& candidate) {
    Measurement measurement;
    if (candidate.schedule.Get("refused") == 1) {
      measurement.outcome = Outcome::kCompileFailed;
      measurement.message = "too many registers";
    } else if (candidate.compile_only) {
      measurement.code_digest = "digest";
      if (candidate.schedule.Get("modelled") == 1) candidate.take_predicted_peak_fraction(0.75);
      measurement.resources.registers = 40;
      measurement.phases.llvm_ms = 3;
    } else {
      measurement.timing.median_ns = 7;
    }
    return measurement;
  }

  mutable absl::Mutex mutex_;
  std::vector<Candidate> started_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_;  // Start() is called by one lease loop here
  std::atomic<bool> released_{false};
  std::atomic<int> lanes_{0};
};

class AgentTest : public testing::Test {
 protected:
  AgentTest() {
    spool_ = ReportSpool::Open(folder_.path(), server_.address()).value();
    WorkerDevice device;
    device.info = ArchitectureLimits("sm_80").value();
    device.info.kind = DeviceKind::kSimt;
    device.info.uuid = "simt-host";
    device.info.arch = "sm_80";
    device.selector = "simt";
    options_.devices = {device};
    options_.give_up_after = std::chrono::seconds(20);
    options_.drain_limit = std::chrono::seconds(8);
  }
  ~AgentTest() override { StopAgent().IgnoreError(); }

  void StartAgent() {
    agent_ = std::make_unique<Agent>(options_, connection_.get(), spool_.get(), &evaluator_);
    thread_ = std::thread([this] { end_ = agent_->Run(); });
  }
  absl::Status StopAgent() {
    if (thread_.joinable()) {
      agent_->Drain();
      thread_.join();
    }
    return end_;
  }
  absl::Status WaitForEnd() {
    thread_.join();
    return end_;
  }
  std::vector<std::string> MeasuredTokens() {
    std::vector<std::string> tokens;
    for (const auto& report : server_.reports()) {
      if (report.has_measurement()) tokens.push_back(report.token());
    }
    return tokens;
  }
  /// A report is sent again where the call that brought it was cut off: by a drain, say, when it asked for leases, too.
  std::set<std::string> Measured() {
    const std::vector<std::string> tokens = MeasuredTokens();
    return {tokens.begin(), tokens.end()};
  }
  std::vector<std::string> ReleasedTokens() {
    std::vector<std::string> tokens;
    for (const auto& report : server_.reports()) {
      if (report.released()) tokens.push_back(report.token());
    }
    return tokens;
  }

  FakeWorkQueue server_;
  OwnedFolder folder_ = OwnedFolder::Temporary("mmtune-test-").value();
  std::unique_ptr<ServerConnection> connection_ = std::make_unique<ServerConnection>(ServerEndpoint{server_.address()});
  std::unique_ptr<ReportSpool> spool_;
  FakeEvaluator evaluator_;
  AgentOptions options_;
  std::unique_ptr<Agent> agent_;
  std::thread thread_;
  absl::Status end_;
};

inline const Schedule kQuick{"quick", {}};
inline const Schedule kMeasuring{"measuring", {}};
inline const Schedule kQueued{"queued", {}};

}  // namespace mmtune
