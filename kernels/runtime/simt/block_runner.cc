// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/runtime/simt/block_runner.h"

#include "kernels/runtime/simt/ops/cp_async.h"

namespace mmtune::simt {
namespace {

void ThreadMain(void* argument) {
  auto* thread = static_cast<GpuThread*>(argument);
  const LaunchJob& job = thread->block->job();
  job.entry(thread, job.arguments);
  if (thread->tracks_copies) FinishCopies(thread, thread->copies.issued());
  if (job.monitor != nullptr) thread->ops->ThreadExits(*thread);
  thread->block->scheduler().Exit(thread);
}

}  // namespace

absl::Status BlockRunner::Prepare(const LaunchJob& job) { return block_.Prepare(job, &ops_); }

std::optional<BlockFailure> BlockRunner::RunBlock(uint64_t index) {
  ops_.Reset(block_.thread_count());
  return block_.Run(index, &ThreadMain);
}

}  // namespace mmtune::simt
