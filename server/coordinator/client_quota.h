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
  int64_t candidates = 0;  ///< Leases held at once by all jobs of the client; further candidates wait.
  int64_t trials = 0;      ///< Trials of one job; a job that asks for more, or for no limit, is refused.

  /// How many of `most` candidates a client with `live` leases may have now.
  int LeasesLeft(int64_t live, int most) const {
    return candidates == 0 ? most : static_cast<int>(std::clamp<int64_t>(candidates - live, 0, most));
  }
};

inline constexpr ClientQuota kDefaultQuota = {.jobs = 256};

}  // namespace mmtune
