// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matmul problems of a model, as JSON: `mmtune-compile --emit matmuls` writes them, and `tune model` reads them.
// They are the distinct problems after canonicalization and fusion, each with the number of times that the model
// computes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/compilation.h"
#include "proto/types/matmul_problem.h"
#include "proto/types/schedule.h"

namespace mmtune {

/// One distinct problem of a model.
struct ModelMatmul {
  /// The problem to tune. Operands that are parts of wider matrices in the model are dense here.
  MatmulProblem problem;
  /// The number of times that one call of each public function computes it; nullopt if a loop, a branch or a recursion
  /// makes that unknown.
  std::optional<int64_t> calls;
  /// How operands lie in wider matrices, as text (MatmulLayout::Text(), kernels/families/common/matmul_layout.h), for
  /// the first matmul with this problem whose operands are not dense. Empty if all are dense.
  std::string layout;
  /// The schedule with which the model is compiled now; the first one if a dispatch table chooses by the number of
  /// rows.
  Schedule schedule;
  /// The origin of the schedule: "spec" (the tuning spec, a file of best schedules, has the problem), "nearest" (the
  /// spec has the schedule for a similar problem) or "default" (the kernel family chooses it). ", unverified" follows
  /// if the schedule was not verified.
  std::string source;
  /// Positive if M is known at run time only: M is a multiple of it, and `problem` has a representative M. Else 0.
  int64_t rows_step = 0;
  /// Positive if the batch, the number of matrices, is known at run time only: the largest of the steps of the matmuls
  /// that this stands for. At most one of the two is positive.
  int64_t batch_step = 0;

  /// Returns MatmulProblem::Text(), with ? in the place of an M or a batch that is known at run time only.
  std::string Text() const;
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    MMTUNE_VISIT_ALL(problem, calls)
    visit("layout", self.layout, OmitIf{std::string()});
    MMTUNE_VISIT_ALL(schedule, source)
    visit("rows_step", self.rows_step, OmitIf{int64_t{0}});
    visit("batch_step", self.batch_step, OmitIf{int64_t{0}});
  }
  bool operator==(const ModelMatmul&) const = default;
};

/// The problems of a model.
struct ModelMatmuls {
  std::vector<ModelMatmul> matmuls;  ///< In the order of the module; distinct by problem and rows_step.
  std::vector<std::string> dynamic;  ///< Problems whose batch and rows are known at run time only, as text.
  /// The dimensions of arguments of public functions whose sizes are known at run time only, as text, ascending.
  std::vector<std::string> open_dimensions;

  Toolchain toolchain;  ///< The compiler's, which compiles the model's kernels.
  /// If a function of the model was run, the time of a call in nanoseconds, and ModelMatmul::calls counts the first
  /// call; else 0.
  double run_ns = 0;

  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    MMTUNE_VISIT_ALL(matmuls, dynamic, open_dimensions)
    visit("toolchain", self.toolchain, OmitIf{Toolchain()});
    visit("run_ns", self.run_ns, OmitIf{0.0});
  }
  bool operator==(const ModelMatmuls&) const = default;
};

std::string ModelMatmulsToJson(const ModelMatmuls& model);
/// Parses the JSON of ModelMatmulsToJson(). Returns InvalidArgument for wrong JSON, an invalid problem, and a negative
/// number of calls or rows.
absl::StatusOr<ModelMatmuls> ModelMatmulsFromJson(std::string_view text);

}  // namespace mmtune
