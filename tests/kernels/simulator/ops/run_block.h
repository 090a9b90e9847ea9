// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs C++ functions as GPU threads of one block.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "kernels/simulator/launch_pool.h"

namespace mmtune::simt {

struct BlockOptions {
  uint32_t threads = 32;
  uint32_t shared_bytes = 64 * 1024;
  std::optional<uint64_t> fuzzing_seed = std::nullopt;
  Monitor* monitor = nullptr;
};

using ThreadBody = std::function<void(GpuThread&)>;

inline void RunThreadBody(ThreadContext* context, void** arguments) {
  (*static_cast<ThreadBody*>(arguments[0]))(*static_cast<GpuThread*>(context));
}

/// Returns the failure, or "".
inline std::string RunBlock(const BlockOptions& options, ThreadBody body) {
  void* arguments[] = {&body};
  LaunchJob job;
  job.entry = &RunThreadBody;
  job.block[0] = options.threads;
  job.dynamic_shared_bytes = options.shared_bytes;
  job.arguments = arguments;
  job.fuzzing_seed = options.fuzzing_seed;
  job.monitor = options.monitor;
  auto runner = std::make_unique<LaunchRunner>();
  if (absl::Status status = runner->Prepare(job); !status.ok()) return std::string(status.message());
  std::optional<BlockFailure> failure = runner->RunCluster(0);
  return failure ? failure->what : "";
}

}  // namespace mmtune::simt
