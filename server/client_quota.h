// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one client may have of a server: a client is the name in its certificate; all that come without one count as
// one.
#pragma once

#include <algorithm>
#include <cstdint>

namespace mmtune {

/// 0: no limit.
struct ClientQuota {
  int64_t jobs = 0;        ///< Unfinished ones. More are refused.
  int64_t candidates = 0;  ///< Leased at a time, over all of its jobs. More wait.
  int64_t trials = 0;      ///< Of one job. A job that asks for more, or for no end of them, is refused.

  /// How many of `most` candidates a client with `live` leases may have now.
  int LeasesLeft(int64_t live, int most) const {
    return candidates == 0 ? most : static_cast<int>(std::clamp<int64_t>(candidates - live, 0, most));
  }
};

inline constexpr ClientQuota kDefaultQuota = {.jobs = 256};

}  // namespace mmtune
