// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/event_stream.h"

#include <algorithm>
#include <utility>

#include "absl/time/time.h"
#include "proto/tls/channel.h"
#include "server/tune/session/server_away.h"

namespace mmtune {
namespace {

constexpr size_t kMostBuffered = 4096;

}  // namespace

EventStream::EventStream(TuningClient& client, std::string job_uuid, Duration patience, Duration read_deadline)
    : client_(client),
      job_uuid_(std::move(job_uuid)),
      patience_(patience),
      read_deadline_(read_deadline),
      thread_([this] { Run(); }) {}

EventStream::~EventStream() {
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
    if (context_ != nullptr) context_->TryCancel();
  }
  thread_.join();
}

std::optional<v1::JobEvent> EventStream::Next(Duration timeout) {
  absl::MutexLock lock(&mutex_);
  auto ready = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !events_.empty() || ended_; };
  mutex_.AwaitWithTimeout(absl::Condition(&ready), absl::FromChrono(timeout));
  if (events_.empty()) return std::nullopt;
  v1::JobEvent event = std::move(events_.front());
  events_.pop_front();
  return event;
}

bool EventStream::ended() {
  absl::MutexLock lock(&mutex_);
  return ended_ && events_.empty();
}

absl::Status EventStream::status() {
  absl::MutexLock lock(&mutex_);
  return status_;
}

void EventStream::End(absl::Status status) {
  absl::MutexLock lock(&mutex_);
  ended_ = true;
  status_ = std::move(status);
}

grpc::Status EventStream::ReadOnce(const TuningClient::Line& line, int64_t& after_seq) {
  AwaitConnection(*line.channel);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::ceil<std::chrono::milliseconds>(read_deadline_));
  {
    absl::MutexLock lock(&mutex_);
    if (stopping_) return grpc::Status::CANCELLED;
    context_ = &context;
  }
  v1::WatchJobRequest request;
  request.set_job_uuid(job_uuid_);
  request.set_after_seq(after_seq);
  auto reader = line.tuning->WatchJob(&context, request);
  v1::JobEvent event;
  while (reader->Read(&event)) {
    absl::MutexLock lock(&mutex_);
    after_seq = event.seq();
    auto room = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return events_.size() < kMostBuffered || stopping_; };
    mutex_.Await(absl::Condition(&room));
    events_.push_back(std::move(event));
    event.Clear();
  }
  grpc::Status status = reader->Finish();
  absl::MutexLock lock(&mutex_);
  context_ = nullptr;
  return status;
}

bool EventStream::SleepUnlessStopped(Duration pause) {
  absl::MutexLock lock(&mutex_);
  return !mutex_.AwaitWithTimeout(absl::Condition(&stopping_), absl::FromChrono(pause));
}

void EventStream::Run() {
  int64_t after_seq = 0;
  TimePoint reached = Clock::Real().Now();
  bool redialled = false;  // since it was served last
  for (Duration pause = std::chrono::milliseconds(100);;) {
    const int64_t before = after_seq;
    const std::shared_ptr<const TuningClient::Line> line = client_.line();
    const grpc::Status status = ReadOnce(*line, after_seq);
    const TimePoint now = Clock::Real().Now();
    if (status.ok()) return End(absl::OkStatus());
    const bool timed_out = status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED;
    if (after_seq != before || timed_out) redialled = false;
    if (status.error_code() == grpc::StatusCode::UNAUTHENTICATED && !std::exchange(redialled, true)) {
      client_.Redial(line);
      continue;
    }
    if (!timed_out && !IsAway(status)) {
      return End(FromServer(status, client_.endpoint()));
    }
    if (after_seq != before || timed_out) {
      reached = now;
      pause = std::chrono::milliseconds(100);
    }
    if (timed_out) continue;  // our own deadline: nothing was lost
    if (now - reached >= patience_) return End(FromServer(status, client_.endpoint()));
    if (!SleepUnlessStopped(pause)) return End(absl::OkStatus());
    pause = std::min<Duration>(pause * 2, std::chrono::seconds(1));
  }
}

}  // namespace mmtune
