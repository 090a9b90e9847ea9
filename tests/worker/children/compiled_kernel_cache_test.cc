// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/compile_pool.h"

#include <gtest/gtest.h>

#include <functional>

#include "proto/wire/convert.h"

namespace mmtune {
namespace {

constexpr size_t kPlenty = 1 << 20;

Compilation CompilationOf(const std::string& symbol, size_t bytes = 0) {
  Compilation compilation;
  compilation.kernel.set_host_symbol(symbol);
  compilation.kernel.set_image(std::string(bytes, 'x'));
  return compilation;
}

TEST(CompiledKernelCache, ACompilationIsTakenOnce) {
  CompiledKernelCache cache(4, kPlenty);
  Compilation compilation = CompilationOf("kernel");
  compilation.failed_attempts.push_back({Outcome::kCrashed, "why", Provenance::kWorker});
  cache.Put("key", compilation);
  EXPECT_FALSE(cache.Take("another key").has_value());
  const std::optional<Compilation> taken = cache.Take("key");
  ASSERT_TRUE(taken.has_value());
  EXPECT_EQ(taken->kernel.host_symbol(), "kernel");
  EXPECT_EQ(taken->failed_attempts.size(), 1u);
  EXPECT_FALSE(cache.Take("key").has_value());
}

TEST(CompiledKernelCache, OfOneKeyTheLastIsKept) {
  CompiledKernelCache cache(4, kPlenty);
  cache.Put("key", CompilationOf("first"));
  cache.Put("key", CompilationOf("second"));
  EXPECT_EQ(cache.Take("key")->kernel.host_symbol(), "second");
  EXPECT_FALSE(cache.Take("key").has_value());
}

TEST(CompiledKernelCache, TheOldestIsDroppedWhenThereAreTooMany) {
  CompiledKernelCache cache(2, kPlenty);
  for (const char* key : {"a", "b", "c"}) cache.Put(key, CompilationOf(key));
  EXPECT_FALSE(cache.Take("a").has_value());
  EXPECT_TRUE(cache.Take("b").has_value());
  EXPECT_TRUE(cache.Take("c").has_value());
}

TEST(CompiledKernelCache, TheOldestIsDroppedWhenTheyAreTooLarge) {
  CompiledKernelCache cache(100, 1000);
  cache.Put("a", CompilationOf("a", 400));
  cache.Put("b", CompilationOf("b", 400));
  EXPECT_TRUE(cache.Take("a").has_value());
  cache.Put("c", CompilationOf("c", 400));  // in the room that the first has left
  cache.Put("d", CompilationOf("d", 400));
  EXPECT_FALSE(cache.Take("b").has_value());
  cache.Put("e", CompilationOf("e", 2000));
  EXPECT_FALSE(cache.Take("e").has_value());
  EXPECT_TRUE(cache.Take("c").has_value()) << "what has no room drops nothing";
  EXPECT_TRUE(cache.Take("d").has_value());
}

TEST(CompilationKeyTest, WhateverIsCompiledDifferentlyHasAnother) {
  MatmulProblem problem{8, 8, 8, DataType::kF32};
  Schedule schedule{"fma", {{"bm", 64}, {"bn", 32}}};
  DeviceInfo device = ArchitectureLimits("sm_80").value();
  bool assemble = true;
  const auto key = [&] {
    worker::CompileRequest request;
    *request.mutable_subject()->mutable_problem() = ToWire(problem);
    *request.mutable_subject()->mutable_schedule() = ToWire(schedule);
    *request.mutable_subject()->mutable_device() = ToWire(device);
    request.set_assemble(assemble);
    return CompilationKey(request);
  };
  device.uuid = "GPU-1";
  const std::string first = key();
  device.uuid = "GPU-2";  // of the same kind
  EXPECT_EQ(key(), first);
  problem.k = 16;
  EXPECT_NE(key(), first);
  problem.k = 8;
  schedule.params["bm"] = 128;
  EXPECT_NE(key(), first);
  schedule.params["bm"] = 64;
  schedule.family = "direct";
  EXPECT_NE(key(), first);
  schedule.family = "fma";
  device.arch = "sm_75";
  EXPECT_NE(key(), first);
  device.arch = ArchitectureLimits("sm_80")->arch;
  device.shared_bytes_per_block += 1024;
  EXPECT_NE(key(), first);
  device.shared_bytes_per_block -= 1024;
  assemble = false;
  EXPECT_NE(key(), first);
  assemble = true;
  EXPECT_EQ(key(), first);
}

}  // namespace
}  // namespace mmtune
