// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file system for SQLite that fails or loses power at a chosen operation.
#pragma once

#include <cstdint>

namespace mmtune::testing {

/// The process's default VFS from Install() on. Operations that change a file (write, truncate, sync, delete, create)
/// are counted from 1 since the last Arm…; the chosen one goes wrong. Passes through to the real file system, except
/// that sync only notes what has become durable. Not thread-safe.
class FaultVfs {
 public:
  /// Once per process; returns the one instance.
  static FaultVfs& Install();

  /// Nothing goes wrong; operations are counted.
  void Disarm();
  /// Operation `at` fails, and all after it when `lasting`: writes as on a full disk, or with an I/O error.
  void ArmError(int64_t at, bool lasting, bool disk_full);
  /// At operation `at` the power goes: every later operation fails. What was not synced survives by chance: none of
  /// it, a prefix of the writes, or some sectors of each, some of those garbled. No file may be open.
  void ArmPowerCut(int64_t at, uint32_t seed);
  /// After all connections are closed: makes the files what the power cut left of them.
  void ApplyPowerCut();

  int64_t operations() const;
  /// True if the armed fault has happened.
  bool happened() const;
};

}  // namespace mmtune::testing
