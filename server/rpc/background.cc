// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/rpc/background.h"

#include <utility>

#include "proto/base/status.h"
#include "server/coordinator/overload.h"

namespace mmtune {

Background::Background(size_t max_queue) : max_queue_(max_queue), thread_([this] { Loop(); }) {}

Background::~Background() { Stop(); }

absl::Status Background::Run(std::function<void()> task) {
  MutexLock lock(&mutex_);
  if (stopping_) return Unavailable("the server is shutting down");
  if (queue_.size() >= max_queue_) return Overloaded();
  queue_.push_back(std::move(task));
  return absl::OkStatus();
}

void Background::Stop() {
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
  }
  if (thread_.joinable()) thread_.join();
}

void Background::Loop() {
  while (true) {
    std::function<void()> task;
    {
      MutexLock lock(&mutex_);
      auto ready = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stopping_ || !queue_.empty(); };
      mutex_.Await(ready);
      if (queue_.empty()) return;
      task = std::move(queue_.front());
      queue_.pop_front();
    }
    task();
  }
}

}  // namespace mmtune
