// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the code of a compiled kernel says of its speed, before it has run.
#pragma once

#include "proto/types/compilation.h"

namespace mmtune {

struct CodeFacts {
  KernelResources resources;
  /// Of the peak of the units that multiply, with as many blocks resident as fit, what its loop gets by a model of its
  /// machine code (kernels/perf_model/profile/modelled_share.h); above 0, at most 1. 0: not known.
  double modelled_share = 0;

  bool operator==(const CodeFacts&) const = default;
};

}  // namespace mmtune
