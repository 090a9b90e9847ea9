// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/matmul_problem.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/base/digest.h"
#include "proto/base/status.h"
#include "proto/types/field_json.h"

namespace mmtune {
namespace {

constexpr int64_t kMaxElements = int64_t{1} << 40;
constexpr size_t kMaxEpilogueSteps = 8;

using Kind = EpilogueOp::Kind;

/// A step as it is written: its name, and after colons the numbers it takes.
struct StepSyntax {
  Kind kind;
  std::string_view name;
  std::vector<float EpilogueOp::*> numbers = {};
};

const std::vector<StepSyntax>& Steps() {
  static const auto* const steps = new std::vector<StepSyntax>{
      {Kind::kBias, "bias"},
      {Kind::kAdd, "add"},
      {Kind::kSub, "sub"},
      {Kind::kRelu, "relu"},
      {Kind::kScale, "scale", {&EpilogueOp::factor}},
      {Kind::kGelu, "gelu"},
      {Kind::kGeluTanh, "gelu_tanh"},
      {Kind::kSilu, "silu"},
      {Kind::kTanh, "tanh"},
      {Kind::kClamp, "clamp", {&EpilogueOp::low, &EpilogueOp::high}},
  };
  return *steps;
}

const StepSyntax& SyntaxOf(Kind kind) { return *std::ranges::find(Steps(), kind, &StepSyntax::kind); }

/// The fewest digits that read back as the same float.
std::string ShortestText(float value) {
  char digits[32];
  const std::to_chars_result result = std::to_chars(digits, digits + sizeof(digits), value);
  return std::string(digits, result.ptr);
}

bool ReadFloat(std::string_view text, float& value) {
  const char *begin = text.data(), *end = begin + text.size();
  const auto [next, error] = std::from_chars(begin, end, value);
  return error == std::errc() && next == end;
}

absl::StatusOr<EpilogueOp> ParseStep(std::string_view text) {
  const std::vector<absl::string_view> parts = absl::StrSplit(ToAbsl(text), ':');
  const auto syntax = std::ranges::find(Steps(), ToStd(parts[0]), &StepSyntax::name);
  if (syntax != Steps().end() && parts.size() == 1 + syntax->numbers.size()) {
    EpilogueOp op{syntax->kind};
    bool readable = true;
    for (size_t i = 1; i < parts.size(); ++i) readable &= ReadFloat(ToStd(parts[i]), op.*(syntax->numbers[i - 1]));
    if (readable) return op;
    return InvalidArgument(
        absl::StrCat("epilogue step '", ToAbsl(text), "' needs f32 numbers, as in scale:0.125 or clamp:0:6"));
  }
  return InvalidArgument(absl::StrCat("unknown epilogue step '", ToAbsl(text),
                                      "'; known: bias, add, sub, relu, gelu, gelu_tanh, silu, tanh, scale:<factor>, "
                                      "clamp:<low>:<high>"));
}

absl::Status ValidateStep(const EpilogueOp& op) {
  if (op.kind == Kind::kScale && (!std::isfinite(op.factor) || op.factor == 0)) {
    return InvalidArgument(absl::StrCat("the factor of scale must be finite and not 0, got ", op.factor));
  }
  if (op.kind == Kind::kClamp && !(std::isfinite(op.low) && std::isfinite(op.high) && op.low <= op.high)) {
    return InvalidArgument(
        absl::StrCat("the bounds of clamp must be finite and in ascending order, got ", op.low, " and ", op.high));
  }
  return absl::OkStatus();
}

/// True for a step whose result is exact, or rounded once, in any type.
bool IsStepOfF64(Kind kind) {
  return kind == Kind::kBias || kind == Kind::kAdd || kind == Kind::kSub || kind == Kind::kRelu || kind == Kind::kScale;
}

absl::Status ValidateEpilogue(const Epilogue& epilogue) {
  if (epilogue.size() > kMaxEpilogueSteps) {
    return InvalidArgument(
        absl::StrCat("the epilogue has ", epilogue.size(), " steps; at most ", kMaxEpilogueSteps, " are supported"));
  }
  for (Kind operand : {Kind::kBias, Kind::kAdd, Kind::kSub}) {
    if (std::ranges::count(epilogue, operand, &EpilogueOp::kind) > 1) {
      return InvalidArgument(absl::StrCat("the epilogue has '", ToAbsl(SyntaxOf(operand).name), "' twice; remove one"));
    }
  }
  if (std::ranges::count_if(epilogue, &EpilogueOp::ReadsAddend) > 1) {
    return InvalidArgument(
        "the epilogue has 'add' and 'sub', but a kernel reads at most one operand of C's size; remove one");
  }
  for (const EpilogueOp& op : epilogue) RETURN_IF_ERROR(ValidateStep(op));
  return absl::OkStatus();
}

}  // namespace

std::string EpilogueText(const Epilogue& epilogue) {
  std::string text;
  for (const EpilogueOp& op : epilogue) {
    const StepSyntax& syntax = SyntaxOf(op.kind);
    absl::StrAppend(&text, text.empty() ? "" : ",", ToAbsl(syntax.name));
    for (float EpilogueOp::* number : syntax.numbers) absl::StrAppend(&text, ":", ToAbsl(ShortestText(op.*number)));
  }
  return text;
}

absl::StatusOr<Epilogue> ParseEpilogue(std::string_view text) {
  Epilogue epilogue;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    ASSIGN_OR_RETURN(EpilogueOp op, ParseStep(text.substr(0, comma)));
    epilogue.push_back(op);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
    if (text.empty()) return InvalidArgument("the epilogue ends with a comma; write it as in bias,relu");
  }
  RETURN_IF_ERROR(ValidateEpilogue(epilogue));
  return epilogue;
}

bool MatmulProblem::HasStep(EpilogueOp::Kind kind) const {
  return std::ranges::find(epilogue, kind, &EpilogueOp::kind) != epilogue.end();
}

absl::Status MatmulProblem::Validate() const {
  for (auto [name, extent] : {std::pair{"M", m}, {"N", n}, {"K", k}, {"batch", batch}}) {
    if (extent < 1)
      return InvalidArgument(absl::StrCat(name, "=", extent, " is not positive; every extent must be at least 1"));
    if (extent >= kMaxElements)
      return InvalidArgument(absl::StrCat(name, "=", extent, " is too large; every extent must be below 2^40"));
  }
  for (auto [name, rows, cols] : {std::tuple{"A", m, k}, {"B", k, n}, {"C", m, n}}) {
    const int64_t most = (kMaxElements - 1) / batch;
    if (rows > most / cols) {
      return InvalidArgument(absl::StrCat("matrix ", name, " of ", batch > 1 ? absl::StrCat(batch, "x") : "", rows, "x",
                                          cols, " has 2^40 elements or more"));
    }
  }
  RETURN_IF_ERROR(ValidateTypes());
  return ValidateEpilogue(epilogue);
}

absl::Status MatmulProblem::ValidateTypes() const {
  const absl::string_view type = ToAbsl(DataTypeName(dtype));
  if (dtype == DataType::kS32) {
    return InvalidArgument("s32 inputs are not supported; use s8 inputs, whose output is s32");
  }
  if (out == OutputType::kF32 && dtype == DataType::kF32) {
    return InvalidArgument("out=f32 is redundant for f32 inputs; remove it");
  }
  if (out == OutputType::kF32 && AccumulatorType() != DataType::kF32) {
    return InvalidArgument(absl::StrCat("out=f32 is not supported for ", type, " inputs, whose output is ",
                                        ToAbsl(DataTypeName(AccumulatorType())), "; remove it"));
  }
  if (math != MathMode::kIeee && dtype != DataType::kF32) {
    return InvalidArgument(absl::StrCat("math mode ", ToAbsl(MathModeName(math)), " is for f32 elements, not ", type));
  }
  for (const EpilogueOp& op : epilogue) {
    if (TraitsOf(dtype).is_integer) {
      return InvalidArgument(absl::StrCat("an epilogue is not supported for ", type, " inputs, whose output is ",
                                          ToAbsl(DataTypeName(TypeOfC())), "; remove it"));
    }
    if (dtype == DataType::kF64 && !IsStepOfF64(op.kind)) {
      return InvalidArgument(absl::StrCat("epilogue step '", ToAbsl(SyntaxOf(op.kind).name),
                                          "' is not supported for f64; supported: bias, add, sub, relu, scale"));
    }
  }
  return absl::OkStatus();
}

int64_t MatmulProblem::OperandBytes() const {
  return DataTypeBytes(dtype) * (ElementsA() + ElementsB()) +
         DataTypeBytes(TypeOfC()) * (ElementsC() + ElementsBias() + ElementsAddend());
}

std::string MatmulProblem::ShapeText() const { return absl::StrCat(m, "x", n, "x", k); }

std::string MatmulProblem::Text() const {
  std::string text = ShapeText();
  if (dtype != DataType::kF32) absl::StrAppend(&text, " ", ToAbsl(DataTypeName(dtype)));
  if (math != MathMode::kIeee) absl::StrAppend(&text, " ", ToAbsl(MathModeName(math)));
  if (out != OutputType::kSame) absl::StrAppend(&text, " out=", ToAbsl(OutputTypeName(out)));
  if (batch != 1) absl::StrAppend(&text, " batch=", batch);
  if (transpose_a) absl::StrAppend(&text, " transpose_a");
  if (transpose_b) absl::StrAppend(&text, " transpose_b");
  if (!epilogue.empty()) absl::StrAppend(&text, " epilogue=", EpilogueText(epilogue));
  return text;
}

std::string MatmulProblem::CanonicalJson() const { return Dump(ToJson(*this)); }

std::string MatmulProblem::Digest() const { return Sha256Hex(CanonicalJson()); }

absl::StatusOr<MatmulProblem> ParseMatmulShape(std::string_view shape, DataType dtype) {
  MatmulProblem problem;
  problem.dtype = dtype;
  int64_t* extents[] = {&problem.m, &problem.n, &problem.k};
  const char* at = shape.data();
  const char* end = at + shape.size();
  for (int i = 0; i < 3; ++i) {
    if (i > 0) {
      if (at == end || (*at != 'x' && *at != 'X')) {
        return InvalidArgument(
            absl::StrCat("cannot read the shape '", ToAbsl(shape), "'; write MxNxK, as in 1024x512x256"));
      }
      ++at;
    }
    auto [next, error] = std::from_chars(at, end, *extents[i]);
    if (error == std::errc::result_out_of_range) {
      return InvalidArgument(absl::StrCat("an extent of '", ToAbsl(shape), "' does not fit 64 bits"));
    }
    if (error != std::errc()) {
      return InvalidArgument(
          absl::StrCat("cannot read the shape '", ToAbsl(shape), "'; write MxNxK, as in 1024x512x256"));
    }
    at = next;
  }
  if (at != end) {
    return InvalidArgument(
        absl::StrCat("cannot read the shape '", ToAbsl(shape), "'; write MxNxK, as in 1024x512x256"));
  }
  RETURN_IF_ERROR(problem.Validate());
  return problem;
}

}  // namespace mmtune
