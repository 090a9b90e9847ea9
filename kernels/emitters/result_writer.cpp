// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/emitters/result_writer.h"

using mlir::Value;

namespace mmtune {

ResultWriter::ResultWriter(KernelBuilder& builder, const Epilogue& epilogue, Value c, llvm::ArrayRef<Value> operands)
    : builder(&builder), epilogue(&epilogue), c(c) {
  auto uses = [&](EpilogueOp::Kind kind) {
    return llvm::any_of(epilogue, [&](const EpilogueOp& op) { return op.kind == kind; });
  };
  if (uses(EpilogueOp::Kind::kBias)) bias = operands.front();
  if (uses(EpilogueOp::Kind::kAdd)) addend = operands.back();
}

void ResultWriter::store(Value piece) const {
  KernelBuilder::At at(*builder, "write C");
  if (epilogue)
    for (const EpilogueOp& op : *epilogue) piece = apply(op, piece);
  builder->store(piece, c);
}

void ResultWriter::addAtomically(Value piece) const {
  KernelBuilder::At at(*builder, "add to C atomically");
  for (int64_t e = 0; e < builder->widthOf(piece); ++e)
    builder->atomicAdd(builder->element(piece, e), builder->offset(c, e));
}

Value ResultWriter::apply(const EpilogueOp& op, Value x) const {
  switch (op.kind) {
    case EpilogueOp::Kind::kBias: {
      KernelBuilder::At at(*builder, "load the bias");
      return builder->addFloats(x, builder->load(bias, builder->widthOf(x)));
    }
    case EpilogueOp::Kind::kAdd: {
      KernelBuilder::At at(*builder, "load the addend");
      return builder->addFloats(x, builder->load(addend, builder->widthOf(x)));
    }
    case EpilogueOp::Kind::kRelu:
      return builder->maxFloats(x, builder->zero(x.getType()));
    case EpilogueOp::Kind::kScale:
      return builder->scale(x, op.factor);
  }
  return x;
}

llvm::SmallVector<BufferUse> epilogueBuffers(const MatmulProblem& problem) {
  return llvm::SmallVector<BufferUse>(problem.HasBias() + problem.HasAddend(), BufferUse::kRead);
}

}  // namespace mmtune
