#include "proto/types/matmul_problem.h"

#include <charconv>
#include <string>

#include "absl/strings/str_cat.h"
#include "proto/base/digest.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr int64_t kMaxElements = int64_t{1} << 40;

}  // namespace

std::string_view DataTypeName(DataType type) {
  switch (type) {
    case DataType::kF32:
      return "f32";
  }
  return "f32";
}

absl::StatusOr<DataType> ParseDataType(std::string_view name) {
  if (name == "f32") return DataType::kF32;
  return InvalidArgument(absl::StrCat("unknown data type '", ToAbsl(name), "'; known: f32"));
}

int64_t DataTypeBytes(DataType type) {
  switch (type) {
    case DataType::kF32:
      return 4;
  }
  return 4;
}

absl::Status MatmulProblem::Validate() const {
  for (auto [name, extent] : {std::pair{"M", m}, {"N", n}, {"K", k}}) {
    if (extent < 1) return InvalidArgument(absl::StrCat(name, "=", extent, " is not positive; every extent is >= 1"));
    if (extent >= kMaxElements) return InvalidArgument(absl::StrCat(name, "=", extent, " is too large; below 2^40"));
  }
  for (auto [name, rows, cols] : {std::tuple{"A", m, k}, {"B", k, n}, {"C", m, n}}) {
    if (rows > (kMaxElements - 1) / cols) {
      return InvalidArgument(absl::StrCat("matrix ", name, " of ", rows, "x", cols, " has 2^40 elements or more"));
    }
  }
  return absl::OkStatus();
}

int64_t MatmulProblem::OperandBytes() const { return DataTypeBytes(dtype) * (ElementsA() + ElementsB() + ElementsC()); }

std::string MatmulProblem::ShapeText() const { return absl::StrCat(m, "x", n, "x", k); }

std::string MatmulProblem::CanonicalJson() const {
  return absl::StrCat("{\"dtype\":\"", ToAbsl(DataTypeName(dtype)), "\",\"k\":", k, ",\"m\":", m, ",\"n\":", n,
                      ",\"op\":\"matmul\"}");
}

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
