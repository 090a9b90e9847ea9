// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buffers for running a few blocks of a kernel on the SIMT device (the CPU simulator), for a problem that is too
// large to fill or to run as a whole. Only pages that are touched use memory:
//
//   A, B, bias, addend   one chunk of small integers, mapped repeatedly: element i of the buffer is element
//                        i modulo the chunk's length
//   C, workspace         a pattern that is NaN, or zeros, mapped so that a page is copied when it is written
//
// The length of the chunk is an odd number of pages, so an index that is wrong by a power of two reads other values.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kernels/simulator/simt_device.h"
#include "proto/types/matmul_problem.h"
#include "worker/measure/guarded_buffers.h"

namespace mmtune {

/// The values of a sparse problem's A and B: integers of absolute value at most `largest`, A's divided by a power of
/// two. All partial sums are exact.
struct SparseValues {
  int64_t largest = 1;
  int exponent = 0;            ///< A is scaled by 2^-exponent.
  bool only_positive = false;  ///< True if all elements are positive, so that no sum is 0.
};

/// The sparse buffers of one problem. Not thread-safe; the device must outlive it.
class SparseBuffers {
 public:
  /// Maps the buffers and makes them known to `device`. Returns ResourceExhausted if the system refuses a mapping.
  static absl::StatusOr<std::unique_ptr<SparseBuffers>> Create(simt::SimtDevice* device, const MatmulProblem& problem,
                                                               int64_t workspace_bytes, const SparseValues& values);
  ~SparseBuffers();
  SparseBuffers(const SparseBuffers&) = delete;
  SparseBuffers& operator=(const SparseBuffers&) = delete;

  const PlanMemories& memories() const { return memories_; }

  /// Sets C to zero.
  absl::Status ClearC();
  /// Returns the ranges [first byte, end) of the buffer, C or the workspace, that may differ from its initial contents,
  /// in ascending order. Returns Unavailable if the system does not report written pages.
  absl::StatusOr<std::vector<std::pair<size_t, size_t>>> WrittenBytes(PlanBuffer buffer) const;
  /// True if the bytes of an element of C or of the workspace are those of the buffer's initial contents.
  bool IsUntouched(PlanBuffer buffer, const char* element, size_t bytes) const;

 private:
  explicit SparseBuffers(simt::SimtDevice* device) : device_(device) {}
  /// Reserves addresses for a buffer, which Map() makes accessible later, with inaccessible pages around them.
  absl::Status Reserve(PlanBuffer buffer, size_t bytes);
  /// Maps `chunk` repeatedly over the whole reserved buffer. An empty `chunk` stands for zeros.
  absl::Status Map(PlanBuffer buffer, const std::vector<char>& chunk, bool is_writable);

  simt::SimtDevice* device_;
  PlanMemories memories_;
  std::vector<std::pair<void*, size_t>> mappings_;
  bool c_is_zero_ = false;
};

}  // namespace mmtune
