// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random host modules that use device code in every way that convert-memcpy-to-gpu has to get right.
#pragma once

#include <cstdint>
#include <string>

namespace mmtune {

/// Functions @entry0 … that every generated module has, with the signature
///
///   (memref<32xf32>, memref<?xf32>, memref<4x8xf32, strided<[12, 1], offset: ?>>,
///    memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?xf32, strided<[2], offset: 3>>,
///    index, i64, f32)
///     -> (memref<32xf32>, memref<32xf32>, memref<?xf32>, memref<?x?xf32, strided<[?, ?], offset: ?>>, f32)
///
/// Any of the results may be one of the arguments, a global, or the same as another result; else the caller frees it.
/// The index is at least the size of the second and fifth argument and may be zero; of the i64, each bit decides some
/// branches.
inline constexpr int kEntries = 2;

/// Globals that the functions read and write, exported: @state is memref<32xf32>, @grid memref<4x8xf32>.
/// The module needs the gpu.module of kernels.mlir. Equal seeds give equal modules.
std::string GenerateModule(uint64_t seed);

/// The module with its device memory on the host, where it means the same.
std::string OnHost(const std::string& module);

}  // namespace mmtune
