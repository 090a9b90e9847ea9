// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a worker's result is believed, beside what a record may say at all (proto/types/validate.h).
#pragma once

#include <cstddef>
#include <string>

#include "proto/types/measurement.h"

namespace mmtune {

/// So many times faster than what all others found is hard to believe; and so many times slower contradicts a claim.
inline constexpr double kFarApart = 3;
/// A worker that reported so many times which its device cannot reach is not believed any more.
inline constexpr size_t kMostImpossible = 3;

/// A result that was not believed when it came, and is measured again by another worker.
struct Claim {
  std::string worker;
  double median_ns = 0;
  bool impossible = false;  ///< Its device cannot be so fast.
};

/// Why an ok record of a CUDA device is to be measured again by another worker: it is kFarApart times as fast as
/// `others_ns`, the best time that other workers found for the job (0: none). Empty: it is believed. Times of the SIMT
/// device depend on what else its host does, and are never doubted so.
std::string TooGood(const TuningRecord& record, double others_ns);

/// Why `claim` cannot be true, after another worker found `second` for the same candidate: it was impossible and this
/// is ok, it is not ok but wrong, or it is kFarApart times as slow. Empty: it may have been true.
std::string Contradiction(const Claim& claim, const TuningRecord& second);

}  // namespace mmtune
