// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/simulator/launch_pool.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "proto/base/split_mix64.h"

namespace mmtune::simt {
namespace {

void ThreadMain(void* argument) {
  auto* thread = static_cast<GpuThread*>(argument);
  const LaunchJob& job = thread->runner->job();
  job.entry(thread, job.arguments);
  thread->ops->ThreadExits(*thread);
  thread->runner->scheduler().Exit(thread);
}

}  // namespace

BlockOrder::BlockOrder(uint64_t blocks, std::optional<uint64_t> seed) : blocks_(blocks), seed_(seed) {
  half_bits_ = (static_cast<uint32_t>(std::bit_width(blocks)) + 1) / 2;
}

uint64_t BlockOrder::At(uint64_t position) const {
  if (!seed_) return position;
  uint64_t value = Permute(position);
  while (value >= blocks_) value = Permute(value);
  return value;
}

uint64_t BlockOrder::Permute(uint64_t value) const {
  constexpr uint64_t kRounds = 6;
  const uint64_t mask = (uint64_t{1} << half_bits_) - 1;
  uint64_t left = value >> half_bits_, right = value & mask;
  for (uint64_t round = 0; round < kRounds; ++round) {
    const uint64_t mixed = SplitMix64(*seed_ + (right * kRounds + round) * 0xD1342543DE82EF95).Next() & mask;
    left ^= mixed;
    std::swap(left, right);
  }
  return left << half_bits_ | right;
}

std::optional<BlockFailure> LaunchRunner::RunCluster(uint64_t index) {
  ops_.Reset(runner_.blocks(), runner_.thread_count());
  return runner_.Run(index, &ThreadMain);
}

LaunchPool::LaunchPool(int threads) {
  for (int i = 0; i < std::max(threads, 1); ++i) runners_.push_back(std::make_unique<LaunchRunner>());
  for (size_t i = 1; i < runners_.size(); ++i) {
    helpers_.emplace_back([this, runner = runners_[i].get()] { HelperMain(runner); });
  }
}

LaunchPool::~LaunchPool() {
  {
    absl::MutexLock lock(&mutex_);
    closing_ = true;
  }
  for (std::thread& helper : helpers_) helper.join();
}

std::optional<BlockFailure> LaunchPool::Run(const LaunchJob& job) {
  next_block_ = 0;
  stop_ = false;
  const bool share = job.clusters() > 1 && !helpers_.empty() && !job.is_sequential();
  if (share) {
    absl::MutexLock lock(&mutex_);
    job_ = &job;
    ++launches_;
    helpers_running_ = static_cast<int>(helpers_.size());
  }
  RunBlocks(runners_[0].get(), job);
  absl::MutexLock lock(&mutex_);
  if (share) {
    mutex_.Await(absl::Condition(+[](int* running) { return *running == 0; }, &helpers_running_));
  }
  return std::exchange(failure_, std::nullopt);
}

void LaunchPool::HelperMain(LaunchRunner* runner) {
  uint64_t seen = 0;
  while (true) {
    const LaunchJob* job = nullptr;
    {
      absl::MutexLock lock(&mutex_);
      auto wanted = [this, &seen]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return closing_ || launches_ != seen; };
      mutex_.Await(absl::Condition(&wanted));
      if (closing_) return;
      seen = launches_;
      job = job_;
    }
    RunBlocks(runner, *job);
    absl::MutexLock lock(&mutex_);
    --helpers_running_;
  }
}

void LaunchPool::RunBlocks(LaunchRunner* runner, const LaunchJob& job) {
  const uint64_t blocks = job.chosen.empty() ? job.clusters() : job.chosen.size();
  const BlockOrder order(blocks, job.fuzzing_seed);
  bool prepared = false;
  while (!stop_.load(std::memory_order_relaxed)) {
    const uint64_t index = next_block_.fetch_add(1, std::memory_order_relaxed);
    if (index >= blocks) return;
    if (!prepared) {
      if (absl::Status status = runner->Prepare(job); !status.ok()) {
        BlockFailure failure;
        failure.what = std::string(status.message());
        Record(std::move(failure));
        return;
      }
      prepared = true;
    }
    if (std::optional<BlockFailure> failure =
            runner->RunCluster(job.chosen.empty() ? order.At(index) : job.chosen[order.At(index)])) {
      Record(*std::move(failure));
      return;
    }
  }
}

void LaunchPool::Record(BlockFailure failure) {
  stop_.store(true, std::memory_order_relaxed);
  absl::MutexLock lock(&mutex_);
  if (!failure_) failure_ = std::move(failure);
}

}  // namespace mmtune::simt
