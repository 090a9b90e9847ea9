// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small programs of PTX around one instruction that threads of a block execute together: barriers, fences, matrices,
// asynchronous copies, mbarriers, control flow.
//
// A program's statements find in %r0 the thread, in %r1 the address of the shared array `mem` of 4 KiB, in %r2 that of
// the thread's word of it; in %rd0 and %rd2 the address of `out`, and of the thread's word of it; in %rd3 that of the
// thread's 16 words of `in`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/kernels/simulator/ptx/operation_case.h"

namespace mmtune::ptx {

struct Program {
  std::string body;
  std::vector<uint32_t> expected;  ///< The first words of `out`, which is zeros before.
  uint32_t threads = 64, blocks = 1;
  std::vector<uint32_t> in = {};
  std::string finding = {};  ///< If not empty, the race detector has a finding with this text instead of results.
};

// Return programs for an opcode of the part of the table that has the function's name: several where one does not show
// all that the instruction does, and none if there is no program for it.
std::vector<Program> controlPrograms(const Opcode& opcode);
std::vector<Program> warpPrograms(const Opcode& opcode);
std::vector<Program> asyncPrograms(const Opcode& opcode);

/// Returns function(thread) for each thread.
template <typename Function>
std::vector<uint32_t> perThread(const Function& function, uint32_t threads = 64) {
  std::vector<uint32_t> words;
  for (uint32_t thread = 0; thread < threads; ++thread) words.push_back(static_cast<uint32_t>(function(thread)));
  return words;
}

}  // namespace mmtune::ptx
