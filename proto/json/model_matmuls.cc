// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/json/model_matmuls.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "proto/base/status.h"
#include "proto/json/json_reader.h"

namespace mmtune {
namespace {

constexpr int kMaxDepth = 8;

}  // namespace

std::string ModelMatmul::Text() const {
  std::string text = problem.Text();
  if (rows_step > 0) text.replace(0, text.find('x'), "?");
  if (batch_step > 0) text = absl::StrReplaceAll(text, {{absl::StrCat("batch=", problem.batch), "batch=?"}});
  return text;
}

std::string ModelMatmulsToJson(const ModelMatmuls& model) { return Dump(ToJson(model)) + "\n"; }

absl::StatusOr<ModelMatmuls> ModelMatmulsFromJson(std::string_view text) {
  ASSIGN_OR_RETURN(ModelMatmuls model, ValueFromJson<ModelMatmuls>(text, kMaxDepth));
  for (const ModelMatmul& matmul : model.matmuls) {
    RETURN_IF_ERROR(matmul.problem.Validate());
    if (matmul.calls.value_or(0) < 0) {
      return InvalidArgument(
          absl::StrCat("calls of ", matmul.problem.Text(), " is ", *matmul.calls, ": must be 0 or more"));
    }
    for (const auto& [name, step] : {std::pair("rows_step", matmul.rows_step), {"batch_step", matmul.batch_step}}) {
      if (step >= 0) continue;
      return InvalidArgument(absl::StrCat(name, " of ", matmul.problem.Text(), " is ", step, ": must be 0 or more"));
    }
  }
  return model;
}

}  // namespace mmtune
