// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/exit_code.h"

#include <charconv>
#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr char kPayload[] = "mmtune/exit-code";

}  // namespace

absl::Status ExitWith(ExitCode code, std::string_view message) {
  return ExitWith(code, absl::UnknownError(ToAbsl(message)));
}

absl::Status ExitWith(ExitCode code, const absl::Status& status) {
  absl::Status marked = status;
  marked.SetPayload(kPayload, absl::Cord(absl::AlphaNum(static_cast<int>(code)).Piece()));
  return marked;
}

ExitCode ExitCodeOf(const absl::Status& status) {
  if (status.ok()) return ExitCode::kOk;
  if (auto payload = status.GetPayload(kPayload)) {
    std::string text(*payload);
    int code = 0;
    std::from_chars(text.data(), text.data() + text.size(), code);
    return static_cast<ExitCode>(code);
  }
  if (absl::IsInvalidArgument(status)) return ExitCode::kUsage;
  if (absl::IsUnavailable(status)) return ExitCode::kServer;
  if (absl::IsUnauthenticated(status)) return ExitCode::kCertificate;
  return ExitCode::kNoResult;
}

std::string_view ExitCodeHelp() {
  return "Exit codes:\n"
         "  0    done\n"
         "  1    no schedule gave a valid result, standard output cannot be written, or an internal error\n"
         "  2    bad usage or input, sizes past the device's memory included\n"
         "  3    the tuning log: absent, not writable, foreign, newer, corrupt, or in use\n"
         "  4    the server cannot be reached, or speaks another version\n"
         "  5    no such device, or the workers failed\n"
         "  6    a certificate, ours or the server's, is refused: expired, revoked, of another authority\n"
         "  7    the role of our certificate does not allow it\n"
         "  8    a limit of the server is reached: jobs or trials of a client, or calls at a time\n"
         "  130  interrupted; what was measured is kept\n"
         "  141  whoever read standard output has left\n";
}

}  // namespace mmtune
