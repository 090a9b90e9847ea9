// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/lt_matmul.h"

#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "worker/measure/element_types.h"

namespace mmtune {
namespace {

void* AddressOf(const PlanMemories& memories, PlanBuffer buffer) {
  return reinterpret_cast<void*>(memories[buffer].address);
}

}  // namespace

absl::StatusOr<LtEpilogue> LtEpilogue::Of(const Epilogue& epilogue) {
  using Kind = EpilogueOp::Kind;
  LtEpilogue result;
  auto op = epilogue.begin();
  auto next = [&](Kind kind) { return op != epilogue.end() && op->kind == kind; };
  if (next(Kind::kScale)) result.alpha = (op++)->factor;
  if (next(Kind::kAdd)) result.beta = 1, ++op;
  if (next(Kind::kBias)) result.bias = true, ++op;
  if (next(Kind::kRelu))
    result.activation = cublas::kReluStep, ++op;
  else if (next(Kind::kGeluTanh))
    result.activation = cublas::kGeluStep, ++op;
  if (op == epilogue.end()) return result;
  return InvalidArgument(absl::StrCat("cuBLASLt has no epilogue ", EpilogueText(epilogue),
                                      "; it has scale, add, bias, and relu or gelu_tanh, in this order"));
}

LtMatmul::LtMatmul(const cublas::Functions* functions, void* handle, CheckCall check, const MatmulProblem& problem,
                   LtEpilogue epilogue)
    : functions_(functions),
      handle_(handle),
      check_(std::move(check)),
      problem_(problem),
      epilogue_(epilogue),
      description_(nullptr, functions->MatmulDescDestroy),
      a_(nullptr, functions->MatrixLayoutDestroy),
      b_(nullptr, functions->MatrixLayoutDestroy),
      c_(nullptr, functions->MatrixLayoutDestroy) {}

absl::StatusOr<std::unique_ptr<LtMatmul>> LtMatmul::Create(const cublas::Functions* functions, void* handle,
                                                           CheckCall check, const MatmulProblem& problem,
                                                           cublas::ComputeType compute, int64_t workspace_bytes,
                                                           int most_suggestions) {
  ASSIGN_OR_RETURN(const LtEpilogue epilogue, LtEpilogue::Of(problem.epilogue));
  std::unique_ptr<LtMatmul> product(new LtMatmul(functions, handle, std::move(check), problem, epilogue));
  RETURN_IF_ERROR(product->Describe(compute));
  RETURN_IF_ERROR(product->Suggest(workspace_bytes, most_suggestions));
  return product;
}

absl::StatusOr<LtMatmul::Descriptor> LtMatmul::Layout(DataType type, int64_t rows, int64_t columns,
                                                      bool transposed) const {
  if (transposed) std::swap(rows, columns);
  void* layout = nullptr;
  RETURN_IF_ERROR(
      check_(functions_->MatrixLayoutCreate(&layout, static_cast<cublas::DataType>(TraitsOf(type).cuda),
                                            static_cast<uint64_t>(columns), static_cast<uint64_t>(rows), columns),
             "cublasLtMatrixLayoutCreate"));
  Descriptor owned(layout, functions_->MatrixLayoutDestroy);
  const auto batch = static_cast<int32_t>(problem_.batch);
  const int64_t stride = rows * columns;
  for (const auto& [attribute, value, bytes] :
       {std::tuple<cublas::LayoutAttribute, const void*, size_t>{cublas::kBatchCount, &batch, sizeof(batch)},
        {cublas::kBatchStride, &stride, sizeof(stride)}}) {
    RETURN_IF_ERROR(check_(functions_->MatrixLayoutSetAttribute(layout, attribute, value, bytes),
                           "cublasLtMatrixLayoutSetAttribute"));
  }
  return owned;
}

absl::Status LtMatmul::Describe(cublas::ComputeType compute) {
  const MatmulProblem& p = problem_;
  void* product = nullptr;
  RETURN_IF_ERROR(check_(functions_->MatmulDescCreate(
                             &product, compute, static_cast<cublas::DataType>(TraitsOf(p.AccumulatorType()).cuda)),
                         "cublasLtMatmulDescCreate"));
  description_.reset(product);
  // Its first factor is our second one: it is column-major, and computes C^T = B^T * A^T. So a row of its result is a
  // column of ours, and has one element of the bias.
  const cublas::Operation first = p.transpose_b ? cublas::kTranspose : cublas::kNoTranspose;
  const cublas::Operation second = p.transpose_a ? cublas::kTranspose : cublas::kNoTranspose;
  uint32_t steps = epilogue_.activation + (epilogue_.bias ? uint32_t{cublas::kBiasStep} : 0);
  if (steps == 0) steps = cublas::kNoSteps;
  for (const auto& [attribute, value] : {std::pair<cublas::MatmulAttribute, const void*>{cublas::kTransposeA, &first},
                                         {cublas::kTransposeB, &second},
                                         {cublas::kEpilogue, &steps}}) {
    static_assert(sizeof(first) == sizeof(steps));
    RETURN_IF_ERROR(check_(functions_->MatmulDescSetAttribute(product, attribute, value, sizeof(steps)),
                           "cublasLtMatmulDescSetAttribute"));
  }
  ASSIGN_OR_RETURN(a_, Layout(p.dtype, p.m, p.k, p.transpose_a));
  ASSIGN_OR_RETURN(b_, Layout(p.dtype, p.k, p.n, p.transpose_b));
  ASSIGN_OR_RETURN(c_, Layout(p.TypeOfC(), p.m, p.n, false));
  return absl::OkStatus();
}

absl::Status LtMatmul::Suggest(int64_t workspace_bytes, int most_suggestions) {
  void* preference = nullptr;
  RETURN_IF_ERROR(check_(functions_->MatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate"));
  const Descriptor owned(preference, functions_->MatmulPreferenceDestroy);
  const auto most = static_cast<uint64_t>(workspace_bytes);
  // Partial sums are not rounded to a C of fewer bits, as no candidate may do that.
  const uint32_t schemes =
      problem_.TypeOfC() == problem_.AccumulatorType() ? cublas::kAllSchemes : cublas::kInComputeType;
  RETURN_IF_ERROR(
      check_(functions_->MatmulPreferenceSetAttribute(preference, cublas::kMaxWorkspaceBytes, &most, sizeof(most)),
             "cublasLtMatmulPreferenceSetAttribute"));
  RETURN_IF_ERROR(
      check_(functions_->MatmulPreferenceSetAttribute(preference, cublas::kReductionSchemes, &schemes, sizeof(schemes)),
             "cublasLtMatmulPreferenceSetAttribute"));
  int found = 0;
  suggestions_.resize(static_cast<size_t>(most_suggestions));
  RETURN_IF_ERROR(
      check_(functions_->MatmulAlgoGetHeuristic(handle_, description_.get(), b_.get(), a_.get(), c_.get(), c_.get(),
                                                preference, most_suggestions, suggestions_.data(), &found),
             "cublasLtMatmulAlgoGetHeuristic"));
  if (found <= 0) return FailedPrecondition(absl::StrCat("cuBLASLt has no algorithm for ", problem_.Text()));
  suggestions_.resize(static_cast<size_t>(found));
  const cublas::Status first = suggestions_.front().state;
  std::erase_if(suggestions_, [](const cublas::AlgorithmChoice& choice) { return choice.state != cublas::kSuccess; });
  return suggestions_.empty() ? check_(first, "cublasLtMatmulAlgoGetHeuristic") : absl::OkStatus();
}

absl::Status LtMatmul::Enqueue(const PlanMemories& memories, StreamHandle stream) {
  if (epilogue_.bias) {
    void* const bias = AddressOf(memories, PlanBuffer::kBias);
    RETURN_IF_ERROR(
        check_(functions_->MatmulDescSetAttribute(description_.get(), cublas::kBiasPointer, &bias, sizeof(bias)),
               "cublasLtMatmulDescSetAttribute"));
  }
  void* const c = AddressOf(memories, PlanBuffer::kC);
  const void* const addend = epilogue_.beta != 0 ? AddressOf(memories, PlanBuffer::kAddend) : c;
  const ScalingFactor alpha(problem_.AccumulatorType(), epilogue_.alpha),
      beta(problem_.AccumulatorType(), epilogue_.beta);
  const cublas::AlgorithmChoice& choice = suggestions_[used_];
  return check_(functions_->Matmul(handle_, description_.get(), &alpha, AddressOf(memories, PlanBuffer::kB), b_.get(),
                                   AddressOf(memories, PlanBuffer::kA), a_.get(), &beta, addend, c_.get(), c, c_.get(),
                                   choice.algorithm, AddressOf(memories, PlanBuffer::kWorkspace),
                                   choice.workspace_bytes, reinterpret_cast<void*>(stream)),
                "cublasLtMatmul");
}

}  // namespace mmtune
