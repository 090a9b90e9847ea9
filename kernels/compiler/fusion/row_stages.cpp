// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/fusion/row_stages.h"

using namespace mlir;

namespace mmtune {
namespace {

bool reads(const RowOperation& row, const ElementAccess& element, unsigned dims) {
  return llvm::any_of(row.reads(dims), [&](const auto& read) { return read.second.isSame(element); });
}

/// Whether the operation has to wait for the end of a loop: it needs what a reduction in it gives, or it changes what
/// an operation in it reads or writes for the row.
bool waitsFor(const RowOperation& row, ArrayRef<RowOperation*> inLoop, unsigned dims) {
  return llvm::any_of(inLoop, [&](const RowOperation* other) {
    if (other->kind == RowOperation::Kind::kReduction && reads(row, other->output(dims), dims)) return true;
    bool isRowValue = row.kind != RowOperation::Kind::kElement;
    return isRowValue && (reads(*other, row.output(dims), dims) || other->output(dims).isSame(row.output(dims)));
  });
}

}  // namespace

SmallVector<RowStage> stagesOf(RowGroup& group) {
  SmallVector<RowStage> stages(1);
  for (RowOperation& row : group.operations) {
    ArrayRef<RowOperation*> inLoop = stages.back().inLoop;
    bool isOtherLoop = row.columns > 0 && !inLoop.empty() && inLoop.front()->columns != row.columns;
    if (isOtherLoop || waitsFor(row, inLoop, group.space.dims())) stages.emplace_back();
    (row.kind == RowOperation::Kind::kRow ? stages.back().before : stages.back().inLoop).push_back(&row);
  }
  return stages;
}

bool isReadLater(ArrayRef<RowStage> stages, size_t stage, const ElementAccess& element, unsigned dims) {
  return llvm::any_of(stages.drop_front(stage + 1), [&](const RowStage& later) {
    return llvm::any_of(later.inLoop, [&](const RowOperation* row) { return reads(*row, element, dims); });
  });
}

}  // namespace mmtune
