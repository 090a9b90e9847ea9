// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/json/model_matmuls.h"

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/json/json_reader.h"

namespace mmtune {
namespace {

constexpr int kMaxDepth = 8;

}  // namespace

std::string ModelMatmul::Text() const {
  std::string text = problem.Text();
  if (rows_step > 0) text.replace(0, text.find('x'), "?");
  return text;
}

std::string ModelMatmulsToJson(const ModelMatmuls& products) { return Dump(ToJson(products)) + "\n"; }

absl::StatusOr<ModelMatmuls> ModelMatmulsFromJson(std::string_view text) {
  ASSIGN_OR_RETURN(ModelMatmuls products, ValueFromJson<ModelMatmuls>(text, kMaxDepth));
  for (const ModelMatmul& product : products.products) {
    RETURN_IF_ERROR(product.problem.Validate());
    if (product.calls.value_or(0) < 0) {
      return InvalidArgument(
          absl::StrCat("calls of ", product.problem.Text(), " is ", *product.calls, ": must be 0 or more"));
    }
    if (product.rows_step < 0) {
      return InvalidArgument(
          absl::StrCat("rows_step of ", product.problem.Text(), " is ", product.rows_step, ": must be 0 or more"));
    }
  }
  return products;
}

}  // namespace mmtune
