// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/agent/lease_book.h"

#include <algorithm>
#include <utility>

#include "absl/time/time.h"

namespace mmtune {

bool LeaseBook::Add(const std::string& token, size_t device, std::shared_ptr<StopToken> stop) {
  absl::MutexLock lock(&mutex_);
  if (closed_) return false;
  return entries_.emplace(token, Entry{device, std::move(stop)}).second;
}

bool LeaseBook::Remove(const std::string& token) {
  absl::MutexLock lock(&mutex_);
  auto it = entries_.find(token);
  if (it == entries_.end()) return false;
  const bool wanted = !it->second.cancelled;
  entries_.erase(it);
  return wanted;
}

std::vector<std::string> LeaseBook::Tokens() const {
  absl::MutexLock lock(&mutex_);
  std::vector<std::string> tokens;
  for (const auto& [token, entry] : entries_) {
    if (!entry.cancelled) tokens.push_back(token);
  }
  return tokens;
}

int LeaseBook::CountLocked(size_t device) const {
  return static_cast<int>(std::count_if(entries_.begin(), entries_.end(),
                                        [device](const auto& held) { return held.second.device == device; }));
}

int LeaseBook::WaitForRoom(size_t device, int most) const {
  absl::MutexLock lock(&mutex_);
  auto may_return = [&]() ABSL_NO_THREAD_SAFETY_ANALYSIS { return closed_ || CountLocked(device) < most; };
  mutex_.Await(absl::Condition(&may_return));
  return closed_ ? 0 : most - CountLocked(device);
}

void LeaseBook::Cancel(const std::vector<std::string>& tokens) {
  absl::MutexLock lock(&mutex_);
  for (const std::string& token : tokens) {
    auto it = entries_.find(token);
    if (it == entries_.end()) continue;
    it->second.cancelled = true;
    it->second.stop->Raise(StopToken::Level::kNow);
  }
}

void LeaseBook::Close(StopToken::Level level) {
  absl::MutexLock lock(&mutex_);
  closed_ = true;
  for (auto& [token, entry] : entries_) entry.stop->Raise(level);
}

bool LeaseBook::WaitEmpty(Duration limit) const {
  absl::MutexLock lock(&mutex_);
  auto empty = [this]() ABSL_NO_THREAD_SAFETY_ANALYSIS { return entries_.empty(); };
  return mutex_.AwaitWithTimeout(absl::Condition(&empty), absl::FromChrono(limit));
}

}  // namespace mmtune
