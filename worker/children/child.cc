// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/child.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "worker/common/failure_text.h"

namespace mmtune {
namespace {

constexpr int kChannelFd = 3;
constexpr size_t kMaxReplyBytes = size_t{64} << 20;
// How soon a raised stop token is seen.
constexpr Duration kStopPoll = std::chrono::milliseconds(50);

std::string SecondsText(Duration limit) {
  auto ms = std::chrono::round<std::chrono::milliseconds>(limit).count();
  return absl::StrCat(static_cast<double>(ms) / 1000, " s");
}

// True when `fd` can be read (or has closed) before `wait` is over.
bool WaitReadable(int fd, Duration wait) {
  pollfd poll_fd{fd, POLLIN, 0};
  auto ms = std::chrono::ceil<std::chrono::milliseconds>(std::max(wait, Duration::zero())).count();
  return poll(&poll_fd, 1, static_cast<int>(ms)) > 0;
}

}  // namespace

Child::Child(ChildCommand command) : command_(std::move(command)) {
  static std::atomic<int> count{0};
  output_path_ = absl::StrCat(command_.scratch_folder, "/", command_.role, "-", count++, ".output");
}

absl::StatusOr<worker::Reply> Child::Start(const StopToken* stop) {
  Retire();
  SubprocessOptions options;
  options.argv = {command_.executable, "--child-role", command_.role, "--child-fd", absl::StrCat(kChannelFd)};
  if (!command_.device.empty()) options.argv.insert(options.argv.end(), {"--child-device", command_.device});
  if (!command_.arch.empty()) options.argv.insert(options.argv.end(), {"--child-arch", command_.arch});
  if (!command_.proofs.empty()) options.argv.insert(options.argv.end(), {"--child-proofs", command_.proofs});
  options.channel_fd = kChannelFd;
  options.output_path = output_path_;
  options.address_space_bytes = command_.address_space_bytes;
  absl::StatusOr<Subprocess> process = Subprocess::Spawn(options);
  if (!process.ok())
    return Unavailable(absl::StrCat("cannot start the ", command_.role, " child: ", process.status().message()));
  process_.emplace(*std::move(process));

  absl::StatusOr<worker::Reply> first = ReadReply(command_.start_limit, stop);
  if (absl::IsCancelled(first.status())) return first.status();
  if (!first.ok()) {
    return Unavailable(absl::StrCat("the ", command_.role, " child did not come up: ", first.status().message()));
  }
  if (first->has_failure()) {
    Retire();
    return Unavailable(absl::StrCat("the ", command_.role, " child cannot work: ", first->failure().message()));
  }
  return first;
}

absl::StatusOr<worker::Reply> Child::Call(const worker::Request& request, Duration limit, const StopToken* stop) {
  if (!running()) {
    // One that died idle is replaced in silence: no candidate is to blame.
    ASSIGN_OR_RETURN(worker::Reply ready, Start(stop));
    if (!ready.has_ready()) {
      Retire();
      return Unavailable(absl::StrCat("the ", command_.role, " child did not say that it is ready"));
    }
  }
  (void)!truncate(output_path_.c_str(), 0);
  const TimePoint deadline = Clock::Real().Now() + limit;
  absl::Status sent = WriteFrame(process_->channel(), request.SerializeAsString());
  if (absl::IsUnavailable(sent)) return Died();
  if (!sent.ok()) {
    Retire();
    return absl::DeadlineExceededError(absl::StrCat("the ", command_.role, " child stopped reading"));
  }
  ASSIGN_OR_RETURN(worker::Reply reply, ReadReply(deadline - Clock::Real().Now(), stop));
  ++answered_;
  return reply;
}

absl::StatusOr<worker::Reply> Child::ReadReply(Duration limit, const StopToken* stop) {
  const TimePoint deadline = Clock::Real().Now() + limit;
  auto left = [&deadline] { return deadline - Clock::Real().Now(); };
  while (!WaitReadable(process_->channel(), std::min(kStopPoll, left()))) {
    if (stop != nullptr && stop->now()) {
      Retire();
      return absl::CancelledError("stopped");
    }
    if (left() <= Duration::zero()) {
      Retire();
      return absl::DeadlineExceededError(absl::StrCat("no answer within ", SecondsText(limit)));
    }
  }
  absl::StatusOr<std::string> frame =
      ReadFrame(process_->channel(), std::max<Duration>(left(), std::chrono::seconds(1)), kMaxReplyBytes);
  if (absl::IsUnavailable(frame.status())) return Died();
  if (absl::IsDeadlineExceeded(frame.status())) {
    Retire();
    return absl::DeadlineExceededError(absl::StrCat("half an answer within ", SecondsText(limit)));
  }
  worker::Reply reply;
  if (!frame.ok() || !reply.ParseFromString(*frame) || reply.reply_case() == worker::Reply::REPLY_NOT_SET) {
    std::string why = frame.ok() ? "a malformed message" : std::string(frame.status().message());
    Retire();
    return absl::DataLossError(absl::StrCat("the ", command_.role, " child sent garbage: ", why));
  }
  return reply;
}

absl::Status Child::Died() {
  std::optional<ExitStatus> exit = process_->Wait(std::chrono::milliseconds(500));
  if (!exit) exit = process_->Kill();
  std::string text = absl::StrCat("the ", command_.role, " child ended: ", exit->Text());
  std::string line = TellingLine(output_path_);
  if (!line.empty()) absl::StrAppend(&text, ": ", line);
  Retire();
  return absl::AbortedError(text);
}

void Child::Retire() {
  if (!process_.has_value()) return;
  process_->Kill();
  process_.reset();
  answered_ = 0;
  unlink(output_path_.c_str());
}

}  // namespace mmtune
