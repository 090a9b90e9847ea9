// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads golden vectors (golden/README.md).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernels/runtime/device/device.h"
#include "kernels/simulator/abi/abi.h"

namespace mmtune {

/// Words of memory by offset.
using GoldenMemory = std::map<uint32_t, uint32_t>;

struct GoldenOp {
  std::string name;
  int sm = 0;
  simt::WarpOp op = {};
  uint32_t mask = 0;
  bool has_address = false;
  std::vector<uint32_t> descriptors;
  std::string ptx;
  uint32_t shared_bytes = 0;
  GoldenMemory before, after;
  std::vector<std::vector<uint32_t>> in, out;  ///< By lane.
};

struct GoldenTensorCopy {
  std::string name;
  std::string operation;  ///< "load", "store", "add", …
  TiledTensorMap map;     ///< Without the address.
  std::vector<int32_t> at;
  uint32_t global_bytes = 0, shared_bytes = 0;
  GoldenMemory global_before, global_after, before, after;
};
/// Where in shared memory the box lies.
inline constexpr uint32_t kGoldenBoxOffset = 1024;

/// Reads the file `name` in the folder GOLDEN_VECTORS. Throws std::runtime_error if it cannot be read.
std::vector<GoldenOp> ReadGoldenOps(const std::string& name);
std::vector<GoldenTensorCopy> ReadGoldenTensorCopies(const std::string& name);

/// `size` bytes, all ones where `words` has none.
std::vector<uint32_t> GoldenImage(const GoldenMemory& words, uint32_t size);

}  // namespace mmtune
