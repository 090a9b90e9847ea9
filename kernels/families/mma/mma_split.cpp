// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/mma/mma_split.h"

using mlir::Value;

namespace mmtune {
namespace {

void appendTf32(KernelBuilder& builder, Value word, PlaneWords& to) {
  for (size_t plane = 0; plane < to.size(); ++plane) {
    Value rounded = builder.roundToTf32(word);
    to[plane].push_back(rounded);
    if (plane + 1 == to.size()) return;
    Value rest = builder.subtractFloats(builder.bits(word, builder.f32()), builder.bits(rounded, builder.f32()));
    word = builder.bits(rest, builder.i32());
  }
}

void appendBf16(KernelBuilder& builder, Value low, Value high, PlaneWords& to) {
  KernelBuilder::Values rest = {builder.bits(low, builder.f32()), builder.bits(high, builder.f32())};
  for (size_t plane = 0; plane < to.size(); ++plane) {
    Value word = builder.bits(builder.convert(builder.join(rest), builder.typeOf(DataType::kBf16)), builder.i32());
    to[plane].push_back(word);
    if (plane + 1 == to.size()) return;
    for (auto [left, rounded] : llvm::zip(rest, builder.widenBf16(word))) left = builder.subtractFloats(left, rounded);
  }
}

}  // namespace

void appendPlanes(KernelBuilder& builder, const MmaPlanes& planes, llvm::ArrayRef<Value> words, PlaneWords& to) {
  if (planes.type == DataType::kF32) {
    for (Value word : words) appendTf32(builder, word, to);
  } else if (planes.AreSplit()) {
    size_t half = words.size() / 2;
    for (size_t i = 0; i < half; ++i) appendBf16(builder, words[i], words[half + i], to);
  } else {
    to.front().append(words.begin(), words.end());
  }
}

}  // namespace mmtune
