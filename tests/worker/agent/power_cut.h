// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A power cut of the worker: what was written to files and not synced since is lost.
#pragma once

#include <string>

namespace mmtune {

/// While one lives, fsync(2) and fdatasync(2) of this program, which links power_cut.cc, are noted. One at a time.
class PowerCut {
 public:
  PowerCut();
  ~PowerCut();
  PowerCut(const PowerCut&) = delete;
  PowerCut& operator=(const PowerCut&) = delete;

  /// Gives each file of the folder the contents that it had when it was last synced. A file that was not there when the
  /// folder was last synced is gone.
  void Cut(const std::string& folder);
};

}  // namespace mmtune
