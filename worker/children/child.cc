// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/child.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"

namespace mmtune {
namespace {

constexpr int kChannelFd = 3;
constexpr int kLogFd = 4;
constexpr size_t kMaxReplyBytes = size_t{64} << 20;
// How soon a raised stop token is seen.
constexpr Duration kStopPoll = std::chrono::milliseconds(50);
// A reply that has begun comes at once; a raised stop token is not seen meanwhile.
constexpr Duration kFrameLimit = std::chrono::seconds(3);

// So often in its limit is looked at what a child has used.
constexpr int kLooksInLimit = 50;

// True when `fd` can be read (or has closed) before `wait` is over.
bool WaitReadable(int fd, Duration wait) {
  pollfd poll_fd{fd, POLLIN, 0};
  auto ms = std::chrono::ceil<std::chrono::milliseconds>(wait).count();
  return poll(&poll_fd, 1, static_cast<int>(ms)) > 0;
}

absl::StatusOr<PlanBuffer> ToPlanBuffer(int value) {
  if (value < 0 || value >= static_cast<int>(kPlanBufferCount)) {
    return InvalidArgument(absl::StrCat("unknown plan buffer ", value));
  }
  return static_cast<PlanBuffer>(value);
}

worker::TensorMap MapMessage(const PlanArgument& argument) {
  const TiledTensorMap& map = *argument.map;
  worker::TensorMap message;
  message.set_data_type(map.data_type);
  message.mutable_extents()->Add(map.extents.begin(), map.extents.end());
  message.mutable_strides_bytes()->Add(map.strides_bytes.begin(), map.strides_bytes.end());
  message.mutable_box()->Add(map.box.begin(), map.box.end());
  message.set_interleave(map.interleave);
  message.set_swizzle(map.swizzle);
  message.set_l2_promotion(map.l2_promotion);
  message.set_out_of_bounds_fill(map.out_of_bounds_fill);
  message.set_rows_dimension(argument.rows_dimension);
  message.set_batch_dimension(argument.batch_dimension);
  return message;
}

void SetMap(const worker::TensorMap& message, PlanArgument* argument) {
  TiledTensorMap& map = argument->map.emplace();
  map.data_type = message.data_type();
  map.extents.assign(message.extents().begin(), message.extents().end());
  map.strides_bytes.assign(message.strides_bytes().begin(), message.strides_bytes().end());
  map.box.assign(message.box().begin(), message.box().end());
  map.interleave = message.interleave();
  map.swizzle = message.swizzle();
  map.l2_promotion = message.l2_promotion();
  map.out_of_bounds_fill = message.out_of_bounds_fill();
  argument->rows_dimension = message.rows_dimension();
  argument->batch_dimension = message.batch_dimension();
}

worker::PlanStep StepMessage(const PlanStep& step) {
  worker::PlanStep message;
  message.set_memset(step.kind == PlanStep::Kind::kMemset);
  message.set_buffer(static_cast<int>(step.buffer));
  message.set_bytes(step.bytes);
  message.set_kernel(step.kernel);
  for (const PlanArgument& argument : step.arguments) {
    message.add_arguments(static_cast<int>(argument.buffer));
    if (!argument.map) continue;
    *message.add_maps() = MapMessage(argument);
    message.mutable_maps(message.maps_size() - 1)->set_argument(message.arguments_size() - 1);
  }
  message.mutable_grid()->Add(std::begin(step.grid), std::end(step.grid));
  message.mutable_block()->Add(std::begin(step.block), std::end(step.block));
  if (step.HasClusters()) message.mutable_cluster()->Add(std::begin(step.cluster), std::end(step.cluster));
  message.set_dynamic_shared_bytes(step.dynamic_shared_bytes);
  return message;
}

absl::StatusOr<PlanStep> FromMessage(const worker::PlanStep& message) {
  PlanStep step;
  step.kind = message.memset() ? PlanStep::Kind::kMemset : PlanStep::Kind::kLaunch;
  ASSIGN_OR_RETURN(step.buffer, ToPlanBuffer(message.buffer()));
  step.bytes = message.bytes();
  step.kernel = message.kernel();
  for (int argument : message.arguments()) {
    ASSIGN_OR_RETURN(PlanBuffer buffer, ToPlanBuffer(argument));
    step.arguments.emplace_back(buffer);
  }
  for (const worker::TensorMap& map : message.maps()) {
    if (map.argument() < 0 || map.argument() >= message.arguments_size()) {
      return InvalidArgument(
          absl::StrCat("a tensor map for argument ", map.argument(), " of ", message.arguments_size(), " arguments"));
    }
    SetMap(map, &step.arguments[static_cast<size_t>(map.argument())]);
  }
  if (message.grid_size() != 3 || message.block_size() != 3) {
    return InvalidArgument(absl::StrCat("a malformed message between a worker and its child: a step of a launch has ",
                                        message.grid_size(), " extents of grid and ", message.block_size(),
                                        " of block, and needs 3 of each"));
  }
  if (message.cluster_size() != 0 && message.cluster_size() != 3) {
    return InvalidArgument(absl::StrCat("a malformed message between a worker and its child: a step of a launch has ",
                                        message.cluster_size(), " extents of cluster, and needs 3 or none"));
  }
  for (int i = 0; i < 3; ++i) {
    step.grid[i] = message.grid(i);
    step.block[i] = message.block(i);
    if (message.cluster_size() == 3) step.cluster[i] = message.cluster(i);
  }
  step.dynamic_shared_bytes = message.dynamic_shared_bytes();
  return step;
}

}  // namespace

Child::Child(ChildCommand command) : command_(std::move(command)) {
  static std::atomic<int> count{0};
  const std::string path = absl::StrCat(command_.scratch_folder, "/", command_.role, "-", count++);
  output_path_ = path + ".output";
  temporary_folder_ = path + ".tmp";
}

absl::StatusOr<worker::Reply> Child::Start(const StopToken* stop) {
  Retire();
  SubprocessOptions options;
  options.argv = {command_.executable, "--child-role", command_.role, "--child-fd", absl::StrCat(kChannelFd)};
  if (!command_.device.empty()) options.argv.insert(options.argv.end(), {"--child-device", command_.device});
  if (!command_.arch.empty()) options.argv.insert(options.argv.end(), {"--child-arch", command_.arch});
  if (!command_.verifications.empty())
    options.argv.insert(options.argv.end(), {"--child-verifications", command_.verifications});
  if (command_.role != "probe" && GetLogLevel() <= LogLevel::kInfo) {  // nobody reads what a worker of `tune` says
    const LogStyle style = GetLogStyle();
    const int level = static_cast<int>(GetLogLevel()), format = static_cast<int>(style.format);
    options.log_fd = kLogFd;
    options.argv.insert(options.argv.end(),
                        {"--child-log", absl::StrCat(kLogFd, ":", level, ":", format), "--child-worker", style.worker});
  }
  options.channel_fd = kChannelFd;
  options.output_path = output_path_;
  mkdir(temporary_folder_.c_str(), 0700);  // where it cannot be made, the child says so when it needs it
  options.extra_environment = {absl::StrCat("TMPDIR=", temporary_folder_)};
  options.address_space_bytes = command_.address_space_bytes;
  absl::StatusOr<Subprocess> process = Subprocess::Spawn(options);
  if (!process.ok())
    return Unavailable(absl::StrCat("cannot start the ", command_.role, " child: ", process.status().message()));
  process_.emplace(*std::move(process));

  absl::StatusOr<worker::Reply> first = ReadReply(command_.start_limit, stop);
  if (absl::IsCancelled(first.status())) return first.status();
  if (!first.ok()) {
    return Unavailable(absl::StrCat("the ", command_.role, " child did not start: ", first.status().message()));
  }
  if (first->has_failure()) {
    Retire();
    return Unavailable(
        absl::StrCat("the worker's ", command_.role, " process cannot work: ", first->failure().message()));
  }
  return first;
}

absl::Status Child::Send(const worker::Request& request, const StopToken* stop) {
  if (!running()) {
    // A child that died while it was idle is replaced silently: no candidate is to blame.
    ASSIGN_OR_RETURN(worker::Reply ready, Start(stop));
    if (!ready.has_ready()) {
      Retire();
      return Unavailable(absl::StrCat("the ", command_.role, " child did not report that it is ready"));
    }
  }
  (void)!truncate(output_path_.c_str(), 0);
  absl::Status sent = WriteFrame(process_->channel(), request.SerializeAsString());
  if (absl::IsUnavailable(sent)) return ExitError();
  if (!sent.ok()) {
    Retire();
    return absl::DeadlineExceededError(absl::StrCat("the ", command_.role, " child stopped reading"));
  }
  return absl::OkStatus();
}

absl::StatusOr<worker::Reply> Child::Call(const worker::Request& request, Duration limit, const StopToken* stop) {
  RETURN_IF_ERROR(Send(request, stop));
  ASSIGN_OR_RETURN(worker::Reply reply, ReadReply(limit, stop));
  ++answered_;
  return reply;
}

absl::StatusOr<worker::Reply> Child::Compute(const worker::Request& request, Duration limit, TimePoint close,
                                             const StopToken* stop) {
  RETURN_IF_ERROR(Send(request, stop));
  TimePoint looked = Clock::Real().Now();
  Duration cpu = process_->CpuTime();
  WorkLimit work(limit, close, looked, cpu);
  const auto may_go_on = [&](TimePoint now) {
    if (now - looked >= limit / kLooksInLimit) {
      cpu = process_->CpuTime();
      looked = now;
    }
    return work.Check(now, cpu);
  };
  ASSIGN_OR_RETURN(worker::Reply reply, ReadReply(may_go_on, stop));
  ++answered_;
  return reply;
}

absl::StatusOr<worker::Reply> Child::ReadReply(Duration limit, const StopToken* stop) {
  const TimePoint deadline = Clock::Real().Now() + limit;
  const auto may_go_on = [&](TimePoint now) {
    if (now < deadline) return absl::OkStatus();
    return absl::DeadlineExceededError(absl::StrCat("no answer within ", SecondsText(limit)));
  };
  return ReadReply(may_go_on, stop);
}

absl::StatusOr<worker::Reply> Child::ReadReply(MayGoOn may_go_on, const StopToken* stop) {
  while (!WaitReadable(process_->channel(), kStopPoll)) {
    absl::Status may = stop != nullptr && stop->now() ? absl::CancelledError("the work of the child was stopped")
                                                      : may_go_on(Clock::Real().Now());
    if (!may.ok()) {
      Retire();
      return may;
    }
  }
  absl::StatusOr<std::string> frame = ReadFrame(process_->channel(), kFrameLimit, kMaxReplyBytes);
  if (absl::IsUnavailable(frame.status())) return ExitError();
  if (absl::IsDeadlineExceeded(frame.status())) {
    Retire();
    return absl::DeadlineExceededError(absl::StrCat("the answer was not complete within ", SecondsText(kFrameLimit)));
  }
  worker::Reply reply;
  if (!frame.ok() || !reply.ParseFromString(*frame) || reply.reply_case() == worker::Reply::REPLY_NOT_SET) {
    std::string why = frame.ok() ? "a malformed message" : std::string(frame.status().message());
    Retire();
    return absl::DataLossError(absl::StrCat("the ", command_.role, " child sent an invalid message: ", why));
  }
  return reply;
}

absl::Status Child::ExitError() {
  std::optional<ExitStatus> exit = process_->Wait(std::chrono::milliseconds(500));
  if (!exit) exit = process_->Kill();
  std::string text = absl::StrCat("the ", command_.role, " child ended: ", exit->Text());
  std::string line = MostRelevantLine(output_path_);
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
  std::error_code ignored;
  std::filesystem::remove_all(temporary_folder_, ignored);
}

worker::Request RequestAbout(const Candidate& candidate) {
  worker::Request request;
  worker::About& about = *request.mutable_about();
  about.set_lease(candidate.subject.lease);
  about.set_job(candidate.subject.job);
  about.set_trace(candidate.subject.trace);
  about.set_candidate(candidate.subject.candidate);
  return request;
}

worker::CompiledKernel ToMessage(const CompiledKernel& kernel) {
  worker::CompiledKernel message;
  message.set_format(static_cast<int>(kernel.format));
  message.set_image(kernel.image);
  for (const PlanStep& step : kernel.plan.steps) *message.add_steps() = StepMessage(step);
  message.set_workspace_bytes(kernel.plan.workspace_bytes);
  message.set_host_object(kernel.host_object);
  message.set_host_symbol(kernel.host_symbol);
  *message.mutable_resources() = ToWire(kernel.resources);
  message.set_code_digest(kernel.code_digest);
  *message.mutable_phases() = ToWire(kernel.phases);
  message.mutable_warnings()->Add(kernel.warnings.begin(), kernel.warnings.end());
  return message;
}

absl::StatusOr<CompiledKernel> FromMessage(const worker::CompiledKernel& message) {
  CompiledKernel kernel;
  if (message.format() < 0 || message.format() > static_cast<int>(ImageFormat::kSimtObject)) {
    return InvalidArgument(absl::StrCat("unknown image format ", message.format()));
  }
  kernel.format = static_cast<ImageFormat>(message.format());
  kernel.image = message.image();
  for (const worker::PlanStep& step : message.steps()) {
    ASSIGN_OR_RETURN(PlanStep converted, FromMessage(step));
    kernel.plan.steps.push_back(std::move(converted));
  }
  kernel.plan.workspace_bytes = message.workspace_bytes();
  kernel.host_object = message.host_object();
  kernel.host_symbol = message.host_symbol();
  ASSIGN_OR_RETURN(kernel.resources, FromWire(message.resources()));
  kernel.code_digest = message.code_digest();
  ASSIGN_OR_RETURN(kernel.phases, FromWire(message.phases()));
  kernel.warnings.assign(message.warnings().begin(), message.warnings().end());
  return kernel;
}

worker::TimeRequest ToMessage(const TimeOptions& options) {
  worker::TimeRequest message;
  *message.mutable_measure() = ToWire(options.measure);
  message.set_incumbent_ns(options.incumbent_ns);
  return message;
}

absl::StatusOr<TimeOptions> FromMessage(const worker::TimeRequest& message) {
  TimeOptions options;
  ASSIGN_OR_RETURN(options.measure, FromWire(message.measure()));
  options.incumbent_ns = message.incumbent_ns();
  return options;
}

worker::Failure ToMessage(const absl::Status& status) {
  worker::Failure failure;
  failure.set_code(static_cast<int>(status.code()));
  failure.set_message(OneLine(ToStd(status.message())));
  return failure;
}

absl::Status FromMessage(const worker::Failure& failure) {
  auto code = static_cast<absl::StatusCode>(failure.code());
  if (failure.code() <= 0 || failure.code() > 16) code = absl::StatusCode::kUnknown;
  return absl::Status(code, failure.message());
}

namespace {

/// A child that works gets a larger part than 1 / this of a processor, however loaded the host is: at the lowest
/// priority beside 16 busy processes on 2 processors it was 1 / 120. One that hangs wakes up for less.
constexpr int kIdlePart = 1000;

}  // namespace

std::string SecondsText(Duration duration) {
  auto ms = std::chrono::round<std::chrono::milliseconds>(duration).count();
  return absl::StrCat(static_cast<double>(ms) / 1000, " s");
}

absl::Status WorkLimit::Check(TimePoint now, Duration cpu) {
  const Duration used = cpu - cpu_at_begin_;
  if (used >= limit_)
    return absl::DeadlineExceededError(absl::StrCat("no answer within ", SecondsText(limit_), " of CPU time"));
  if (cpu - cpu_when_worked_ >= limit_ / kIdlePart) {
    worked_ = now;
    cpu_when_worked_ = cpu;
  }
  if (now - worked_ >= limit_)
    return absl::DeadlineExceededError(
        absl::StrCat("no answer within ", SecondsText(limit_), ": the child used no CPU time, so it hangs"));
  if (now >= close_)
    return Unavailable(absl::StrCat("the host is too busy: the child got ", SecondsText(used), " of CPU time in ",
                                    SecondsText(now - begun_), ", and the lease ends"));
  return absl::OkStatus();
}

namespace {

constexpr std::streamoff kEndBytes = 64 << 10;

std::string ReadEnds(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return "";
  std::streamoff size = file.tellg();
  auto read = [&file](std::streamoff from, std::streamoff bytes) {
    std::string text(static_cast<size_t>(bytes), '\0');
    file.seekg(from);
    file.read(text.data(), bytes);
    text.resize(static_cast<size_t>(file.gcount()));
    return text;
  };
  if (size <= 2 * kEndBytes) return read(0, size);
  std::string head = read(0, kEndBytes);
  return head + "\n" + read(size - kEndBytes, kEndBytes);
}

bool HasErrorMarker(std::string_view line) {
  for (std::string_view marker : {"LLVM ERROR", "Assertion", "error:", "what():", "runtime error", "ERROR: "}) {
    if (line.find(marker) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

std::string OneLine(std::string_view text, size_t limit) {
  std::string line;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (byte > 0x7e) {
      line += '?';
    } else if (byte > 0x20) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
    if (line.size() > limit) {
      line.resize(limit - 3);
      return line + "...";
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

std::string MostRelevantLine(const std::string& path) {
  std::istringstream lines(ReadEnds(path));
  std::string line, last;
  while (std::getline(lines, line)) {
    std::string clean = OneLine(line);
    if (clean.empty()) continue;
    if (HasErrorMarker(clean)) return clean;
    last = clean;
  }
  return last;
}

}  // namespace mmtune
