// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How programs end: one table of exit codes for tune, mmtune-server, mmtune-worker and mmtune-compile.
#pragma once

#include <string_view>

namespace mmtune {

/// The exit codes. A code means the same for every program; not every program has a use for each of them.
enum class ExitCode {
  kOk = 0,
  kNoResult = 1,  ///< Nothing valid was found, output was lost, or any failure without a code of its own.
  kUsage = 2,     ///< Options or input are wrong: repeating the command does not help.
  kLog = 3,
  kServer = 4,
  kDevice = 5,
  /// A certificate, ours or the other side's, is expired, revoked, or of another authority; or our password for the
  /// log's database is wrong.
  kCertificate = 6,
  kForbidden = 7,   ///< The role in our certificate, or our role in the log's database, does not allow the call.
  kLimit = 8,       ///< A limit of the server: quota of a client, or too many calls.
  kLogVersion = 9,  ///< The tuning log is of another schema version.
  kInterrupted = 130,
  kBrokenPipe = 141,  ///< 128 + SIGPIPE, as in a shell.
};

/// Returns the number for exit() and main().
constexpr int Number(ExitCode code) { return static_cast<int>(code); }

/// A row of the table.
struct ExitCodeEntry {
  ExitCode code;
  std::string_view meaning;
};

/// The table that help, man pages and docs/cli.md show, in the order of the codes.
inline constexpr ExitCodeEntry kExitCodes[] = {
    {ExitCode::kOk, "done"},
    {ExitCode::kNoResult,
     "no valid result: nothing valid was found, something is not verified or differs, output was lost, or another "
     "failure"},
    {ExitCode::kUsage, "bad usage or input: options, files, sizes beyond the device's memory"},
    {ExitCode::kLog, "the tuning log: missing, not writable, not a tuning log, corrupt, or in use"},
    {ExitCode::kServer,
     "the server, or the database server of the log, cannot be reached or has another version; or the program is a "
     "server and cannot listen"},
    {ExitCode::kDevice, "no such device, one that another process holds, or the workers failed"},
    {ExitCode::kCertificate,
     "a certificate, ours or the other side's, is refused: expired, revoked, of another authority; or our password for "
     "the log's database"},
    {ExitCode::kForbidden, "the role in our certificate, or our role in the log's database, does not allow the call"},
    {ExitCode::kLimit, "a limit of the server is reached: jobs or trials of a client, or calls at a time"},
    {ExitCode::kLogVersion, "the tuning log is of another schema version"},
    {ExitCode::kInterrupted, "interrupted; what was measured is kept"},
    {ExitCode::kBrokenPipe, "the program that read standard output has closed it"},
};

}  // namespace mmtune
