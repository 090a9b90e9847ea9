// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/fma/fma_slices.h"

using mlir::Value;

namespace mmtune {

KernelBuilder::Values sumSlices(KernelBuilder& builder, const FmaTiling& tiling, Value shared, Value thread,
                                const KernelBuilder::Values& pieces) {
  int64_t slices = tiling.schedule.sliceK, width = tiling.fragmentN, count = tiling.PiecesOfC();
  // Slice by slice, in it piece by piece, in that the threads of the slice: neighbours of a warp are neighbours.
  int64_t perPiece = tiling.ThreadsOfSlice() * width;
  Value slice = builder.div(thread, tiling.ThreadsOfSlice());
  Value inPiece = builder.mul(builder.rem(thread, tiling.ThreadsOfSlice()), width);
  {
    KernelBuilder::At at(builder, "write the sums of a slice to shared memory");
    Value first = builder.offset(shared, builder.add(builder.mul(slice, count * perPiece), inPiece));
    for (int64_t number = 0; number < count; ++number)
      builder.store(pieces[number], builder.offset(first, number * perPiece));
  }
  {
    KernelBuilder::At at(builder, "wait for the sums of all slices");
    builder.barrier();
  }
  KernelBuilder::At at(builder, "read the sums of all slices");
  Value first = builder.offset(shared, builder.add(builder.mul(slice, perPiece), inPiece));
  KernelBuilder::Values sums;
  for (int64_t number = 0; number < count; number += slices) {
    Value sum = builder.load(builder.offset(first, number * perPiece), width);
    for (int64_t of = 1; of < slices; ++of)
      sum = builder.addSums(sum, builder.load(builder.offset(first, (of * count + number) * perPiece), width));
    sums.push_back(sum);
  }
  return sums;
}

}  // namespace mmtune
