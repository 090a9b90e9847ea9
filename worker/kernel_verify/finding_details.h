// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the findings of all shapes. The verification of a kernel (kernel_verifier.h) puts their text into its
// answer.
#pragma once

#include <string>
#include <vector>

#include "kernels/simulator/race_detector/finding.h"

namespace mmtune {

/// Findings with the shapes at which they were made. Those of one kind at the same program points count as one.
class FindingDetails {
 public:
  /// Adds a finding at a shape ("64x64x64").
  void Add(const simt::Finding& finding, const std::string& shape);

  /// Returns the findings as lines, cut off behind `most` bytes.
  std::string Text(size_t most) const;

 private:
  struct Detail {
    simt::Finding finding;
    std::vector<std::string> shapes;
  };
  std::vector<Detail> details_;
};

}  // namespace mmtune
