// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ldmatrix and stmatrix: 8x8 tiles of 16-bit elements between shared memory and the fragments of a warp. Row j of tile
// i is at the address that lane 8i + j gives; lane l holds of each tile the elements 2 (l % 4) and 2 (l % 4) + 1 of
// row l / 4, or of column l / 4 with .trans.
#include <cstring>

#include "absl/strings/str_cat.h"
#include "kernels/runtime/simt/ops/block_ops.h"
#include "kernels/runtime/simt/ops/warp_ops.h"

namespace mmtune::simt {
namespace {

constexpr uint32_t kRowBytes = 16;

void RequireModelled(const WarpOp& op, const WarpCall& call) {
  RequireWholeWarp(op, call);
  const bool is_16_bit = op.a == ElementType::kF16 || op.a == ElementType::kBf16;
  if (op.m != 8 || op.n != 8 || !is_16_bit) FailWarpOp(op, call, "only m8n8 tiles of 16-bit elements are modelled");
  if (op.count != 1 && op.count != 2 && op.count != 4) FailWarpOp(op, call, "there are 1, 2 or 4 tiles");
}

/// The rows of the tiles, aligned and accessed as the monitor sees it.
void FindRows(const WarpOp& op, const WarpCall& call, AccessKind kind, char* rows[32]) {
  RequireModelled(op, call);
  for (uint32_t lane = 0; lane < 8 * op.count; ++lane) {
    std::memcpy(&rows[lane], call.in[lane], sizeof(char*));
    if (reinterpret_cast<uintptr_t>(rows[lane]) % kRowBytes != 0) {
      FailWarpOp(op, call,
                 absl::StrCat("the row at 0x", absl::Hex(reinterpret_cast<uintptr_t>(rows[lane])), " that lane ", lane,
                              " gives is not aligned to 16 bytes"));
    }
    call.warp->ops->OrdinaryAccess(call.warp[lane], rows[lane], kRowBytes, kind, op.site);
  }
}

}  // namespace

void ExecuteLoadMatrix(const WarpOp& op, const WarpCall& call) {
  char* rows[32];
  FindRows(op, call, AccessKind::kRead, rows);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t major = lane / 4, minor = lane % 4;
    for (uint32_t tile = 0; tile < op.count; ++tile) {
      if ((op.flags & kTransposed) == 0) {
        std::memcpy(&call.out[lane][tile], rows[8 * tile + major] + 4 * minor, 4);
        continue;
      }
      uint16_t elements[2];
      std::memcpy(&elements[0], rows[8 * tile + 2 * minor] + 2 * major, 2);
      std::memcpy(&elements[1], rows[8 * tile + 2 * minor + 1] + 2 * major, 2);
      std::memcpy(&call.out[lane][tile], elements, 4);
    }
  }
}

void ExecuteStoreMatrix(const WarpOp& op, const WarpCall& call) {
  char* rows[32];
  FindRows(op, call, AccessKind::kWrite, rows);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t major = lane / 4, minor = lane % 4;
    for (uint32_t tile = 0; tile < op.count; ++tile) {
      const uint32_t* word = &call.in[lane][2 + tile];
      if ((op.flags & kTransposed) == 0) {
        std::memcpy(rows[8 * tile + major] + 4 * minor, word, 4);
        continue;
      }
      uint16_t elements[2];
      std::memcpy(elements, word, 4);
      std::memcpy(rows[8 * tile + 2 * minor] + 2 * major, &elements[0], 2);
      std::memcpy(rows[8 * tile + 2 * minor + 1] + 2 * major, &elements[1], 2);
    }
  }
}

}  // namespace mmtune::simt
