// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/record_writer.h"

#include <algorithm>
#include <utility>

#include "proto/base/status.h"
#include "server/coordinator/attended_clock.h"
#include "server/coordinator/overload.h"
#include "server/coordinator/storage_status.h"

namespace mmtune {
namespace {

/// The coordinator runs at least this often, because no deadline tells when a worker falls silent.
constexpr Duration kMaxIdle = std::chrono::seconds(1);
static_assert(kMaxIdle < AttendedClock::kLongestStep, "idling is no pause");

}  // namespace

RecordWriter::RecordWriter(TuningLog& log, Coordinator& coordinator, const Clock& clock,
                           std::function<void(const absl::Status& why)> on_log_lost)
    : coordinator_(coordinator),
      clock_(clock),
      on_log_lost_(std::move(on_log_lost)),
      outage_(clock),
      runner_(log, coordinator) {}

RecordWriter::~RecordWriter() { Stop(); }

absl::Status RecordWriter::Start() {
  RETURN_IF_ERROR(runner_.Start());
  thread_ = std::thread([this] { Run(); });
  return absl::OkStatus();
}

absl::Status RecordWriter::Submit(WriteCommand command) { return Enqueue(std::move(command), kMaxQueue); }

absl::Status RecordWriter::SubmitInternal(WriteCommand command) { return Enqueue(std::move(command), SIZE_MAX); }

absl::Status RecordWriter::Enqueue(WriteCommand command, size_t limit) {
  MutexLock lock(&mutex_);
  if (stopping_) return Unavailable("the server is shutting down");
  if (queue_.size() >= limit) return Overloaded();
  queue_.push_back(std::move(command));
  return absl::OkStatus();
}

size_t RecordWriter::queued() const {
  MutexLock lock(&mutex_);
  return queue_.size();
}

void RecordWriter::Stop() {
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
  }
  if (thread_.joinable()) thread_.join();
}

std::vector<WriteCommand> RecordWriter::NextBatch() {
  Duration idle = runner_.broken() ? Duration::zero() : kMaxIdle;
  if (!runner_.broken()) {
    if (auto next = coordinator_.NextDeadline()) idle = std::clamp(*next - clock_.Now(), Duration::zero(), kMaxIdle);
  }
  MutexLock lock(&mutex_);
  mutex_.AwaitFor(outage_.Pause(), [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stopping_; });
  auto ready = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stopping_ || !queue_.empty(); };
  mutex_.AwaitFor(idle, ready);
  std::vector<WriteCommand> batch;
  while (!queue_.empty() && batch.size() < kMaxBatch) {
    batch.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  return batch;
}

void RecordWriter::Run() {
  while (true) {
    const std::vector<WriteCommand> batch = NextBatch();
    if (batch.empty()) {
      MutexLock lock(&mutex_);
      if (stopping_ && queue_.empty()) return;
    }
    if (absl::Status commit = runner_.Run(batch); commit.ok()) {
      outage_.Succeeded(outage_.active() && runner_.TryWriting());
    } else if (IsLogLost(commit)) {
      return EndWithLog(commit);
    } else {
      outage_.Failed(commit);
    }
  }
}

void RecordWriter::EndWithLog(const absl::Status& why) {
  outage_.Lost(why);
  std::deque<WriteCommand> left;
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
    left.swap(queue_);
  }
  for (const WriteCommand& command : left) command.finish(why);
  if (on_log_lost_) on_log_lost_(why);
}

}  // namespace mmtune
