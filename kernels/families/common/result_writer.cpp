// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/families/common/result_writer.h"

#include "kernels/families/common/curved_steps.h"

using mlir::Value;

namespace mmtune {

ResultWriter::ResultWriter(KernelBuilder& builder, const MatmulProblem& problem, Value c,
                           llvm::ArrayRef<Value> operands)
    : builder(&builder), epilogue(&problem.epilogue), type(builder.typeOf(problem.TypeOfC())), c(c) {
  if (problem.HasBias()) bias = operands.front();
  if (problem.HasAddend()) addend = operands.back();
}

void ResultWriter::store(Value piece) const {
  KernelBuilder::At at(*builder, "write C");
  if (epilogue)
    for (const EpilogueOp& op : *epilogue) piece = apply(op, piece);
  builder->store(builder->convert(piece, type), c);
}

void ResultWriter::addAtomically(Value piece) const {
  KernelBuilder::At at(*builder, "add to C atomically");
  builder->atomicAdd(piece, c);
}

Value ResultWriter::loadOperand(Value pointer, Value x) const {
  return builder->convert(builder->load(type, pointer, builder->widthOf(x)), mlir::getElementTypeOrSelf(x.getType()));
}

Value ResultWriter::apply(const EpilogueOp& op, Value x) const {
  switch (op.kind) {
    case EpilogueOp::Kind::kBias: {
      KernelBuilder::At at(*builder, "load the bias");
      return builder->addFloats(x, loadOperand(bias, x));
    }
    case EpilogueOp::Kind::kAdd: {
      KernelBuilder::At at(*builder, "load the addend");
      return builder->addFloats(x, loadOperand(addend, x));
    }
    case EpilogueOp::Kind::kSub: {
      KernelBuilder::At at(*builder, "load the addend");
      return builder->subtractFloats(x, loadOperand(addend, x));
    }
    case EpilogueOp::Kind::kRelu:
      return builder->maxFloats(x, builder->zero(x.getType()));
    case EpilogueOp::Kind::kScale:
      return builder->scale(x, op.factor);
    case EpilogueOp::Kind::kGelu:
      return emitGelu(*builder, x);
    case EpilogueOp::Kind::kGeluTanh:
      return emitGeluTanh(*builder, x);
    case EpilogueOp::Kind::kSilu:
      return emitSilu(*builder, x);
    case EpilogueOp::Kind::kTanh:
      return emitTanh(*builder, x);
    case EpilogueOp::Kind::kClamp:
      x = builder->maxFloats(x, builder->splat(x.getType(), op.low));
      return builder->minFloats(x, builder->splat(x.getType(), op.high));
  }
  return x;
}

llvm::SmallVector<BufferUse> epilogueBuffers(const MatmulProblem& problem) {
  return llvm::SmallVector<BufferUse>(problem.HasBias() + problem.HasAddend(), BufferUse::kRead);
}

}  // namespace mmtune
