// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/child_server.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "proto/base/clock.h"
#include "proto/base/status.h"
#include "proto/base/subprocess.h"
#include "proto/wire/convert.h"
#include "worker/children/child.h"

namespace mmtune {
namespace {

constexpr Duration kForever = std::chrono::hours(24 * 365);

worker::Reply FailureReply(const absl::Status& status) {
  worker::Reply reply;
  *reply.mutable_failure() = ToMessage(status);
  return reply;
}

bool Send(int fd, const worker::Reply& reply) { return WriteFrame(fd, reply.SerializeAsString()).ok(); }

absl::StatusOr<worker::Reply> Compile(Compiler& compiler, const worker::CompileRequest& request) {
  ASSIGN_OR_RETURN(MatmulProblem problem, FromWire(request.subject().problem()));
  ASSIGN_OR_RETURN(Schedule schedule, FromWire(request.subject().schedule()));
  CompileTarget target;
  ASSIGN_OR_RETURN(target.device, FromWire(request.subject().device()));
  target.assemble = request.assemble();
  ASSIGN_OR_RETURN(CompiledKernel kernel, compiler.Compile(problem, schedule, target));
  worker::Reply reply;
  *reply.mutable_kernel() = ToMessage(kernel);
  return reply;
}

absl::StatusOr<worker::Reply> Verify(Verifier& verifier, const worker::VerifyRequest& request) {
  VerificationRequest verification;
  ASSIGN_OR_RETURN(verification.problem, FromWire(request.subject().problem()));
  ASSIGN_OR_RETURN(verification.schedule, FromWire(request.subject().schedule()));
  ASSIGN_OR_RETURN(verification.device, FromWire(request.subject().device()));
  verification.fuzzing_runs = request.fuzzing_runs();
  verification.check_full_size_races = request.check_full_size_races();
  ASSIGN_OR_RETURN(VerificationReport report, verifier.Verify(verification));
  worker::Reply reply;
  *reply.mutable_verification() = ToWire(report);
  return reply;
}

absl::StatusOr<worker::Reply> Model(const ChildParts& parts, const worker::ModelRequest& request) {
  if (!parts.model_share) return absl::UnimplementedError("this child has no model of machine code");
  ASSIGN_OR_RETURN(const MatmulProblem problem, FromWire(request.subject().problem()));
  ASSIGN_OR_RETURN(const Schedule schedule, FromWire(request.subject().schedule()));
  ASSIGN_OR_RETURN(const DeviceInfo device, FromWire(request.subject().device()));
  ASSIGN_OR_RETURN(const CompiledKernel kernel, FromMessage(request.kernel()));
  ASSIGN_OR_RETURN(const double share, parts.model_share(problem, schedule, device, kernel));
  worker::Reply reply;
  reply.set_predicted_peak_fraction(share);
  return reply;
}

absl::StatusOr<worker::Reply> Measure(Measurer& measurer, const worker::Request& request) {
  worker::Reply reply;
  if (request.has_load()) {
    ASSIGN_OR_RETURN(MatmulProblem problem, FromWire(request.load().problem()));
    ASSIGN_OR_RETURN(CompiledKernel kernel, FromMessage(request.load().kernel()));
    RETURN_IF_ERROR(measurer.Load(problem, kernel));
    reply.mutable_loaded();
    return reply;
  }
  if (request.has_check()) {
    ASSIGN_OR_RETURN(CheckReport report, measurer.Check());
    *reply.mutable_check() = ToWire(report);
    return reply;
  }
  if (request.has_time()) {
    ASSIGN_OR_RETURN(TimeOptions options, FromMessage(request.time()));
    ASSIGN_OR_RETURN(TimedRun run, measurer.Time(options));
    *reply.mutable_timed()->mutable_timing() = ToWire(run.timing);
    *reply.mutable_timed()->mutable_conditions() = ToWire(run.conditions);
    return reply;
  }
  if (request.has_compare()) {
    const worker::CompareRequest& compare = request.compare();
    ASSIGN_OR_RETURN(MatmulProblem problem, FromWire(compare.problem()));
    ASSIGN_OR_RETURN(CompiledKernel kernel, FromMessage(compare.kernel()));
    ASSIGN_OR_RETURN(CompiledKernel reference, FromMessage(compare.reference()));
    CompareOptions options;
    ASSIGN_OR_RETURN(options.measure, FromWire(compare.measure()));
    options.reference_first = compare.reference_first();
    ASSIGN_OR_RETURN(Compared compared, measurer.Compare(problem, kernel, reference, options));
    reply.mutable_compared()->set_ratio(compared.ratio);
    reply.mutable_compared()->set_median_ns(compared.median_ns);
    reply.mutable_compared()->set_reference_median_ns(compared.reference_median_ns);
    reply.mutable_compared()->set_finding(compared.finding);
    return reply;
  }
  return InvalidArgument("a measure child cannot serve this request: it only loads, checks, times and compares");
}

/// "compile", "verify", "load", …
std::string NameOf(const worker::Request& request) {
  const auto* field = worker::Request::descriptor()->FindFieldByNumber(request.request_case());
  return field == nullptr ? "nothing" : field->name();
}

using Handler = std::function<absl::StatusOr<worker::Reply>(const worker::Request&)>;

int ServeRequests(int fd, const Handler& handle) {
  worker::Reply ready;
  ready.mutable_ready();
  if (!Send(fd, ready)) return 0;
  for (;;) {
    absl::StatusOr<std::string> frame = ReadFrame(fd, kForever);
    if (absl::IsUnavailable(frame.status())) return 0;  // the daemon is done with us
    worker::Request request;
    if (!frame.ok() || !request.ParseFromString(*frame)) return 1;
    const worker::About& about = request.about();
    SetLogSubject({about.lease(), about.job(), about.trace(), about.candidate()});
    const TimePoint start = Clock::Real().Now();
    absl::StatusOr<worker::Reply> reply = handle(request);
    const absl::Status handled = reply.status();
    if (!reply.ok()) reply = FailureReply(handled);
    reply->set_elapsed_ms(Milliseconds(Clock::Real().Now() - start));
    Log(LogLevel::kDebug, "child_answered",
        {{"request", NameOf(request)}, {"ms", reply->elapsed_ms()}, {"error", ToStd(handled.message())}});
    SetLogSubject({});
    if (!Send(fd, *reply)) return 0;
  }
}

/// Returns the function that answers the requests of a role.
absl::StatusOr<Handler> MakeHandler(const ChildRole& role, const ChildParts& parts) {
  if (role.role == "compile") {
    ASSIGN_OR_RETURN(std::shared_ptr<Compiler> compiler, parts.make_compiler());
    std::shared_ptr<Verifier> verifier = parts.make_verifier(compiler.get(), role.verifications);
    return Handler([compiler, verifier, parts](const worker::Request& request) -> absl::StatusOr<worker::Reply> {
      if (request.has_compile()) return Compile(*compiler, request.compile());
      if (request.has_verify()) return Verify(*verifier, request.verify());
      if (request.has_model()) return Model(parts, request.model());
      return InvalidArgument("a compile child cannot serve this request: it only compiles, models and verifies");
    });
  }
  if (role.role == "measure") {
    ASSIGN_OR_RETURN(DeviceSelector selector, ParseDeviceSelector(role.device));
    selector.arch = role.arch;
    ASSIGN_OR_RETURN(std::shared_ptr<Measurer> measurer, parts.make_measurer(selector));
    return Handler([measurer](const worker::Request& request) { return Measure(*measurer, request); });
  }
  return InvalidArgument(absl::StrCat("unknown child role '", role.role, "'; known: compile, measure, probe"));
}

/// "4:1:0": descriptor, level, format, as numbers; both sides are the same program.
void ReadLogTarget(const char* text, ChildRole& role) {
  const std::vector<std::string> words = absl::StrSplit(text, ':');
  int fd = 0, level = 0, format = 0;
  if (words.size() != 3 || !absl::SimpleAtoi(words[0], &fd) || !absl::SimpleAtoi(words[1], &level) ||
      !absl::SimpleAtoi(words[2], &format))
    return;
  role.log_fd = fd;
  role.log_level = static_cast<LogLevel>(level);
  role.log_style.format = static_cast<LogFormat>(format);
}

}  // namespace

std::optional<ChildRole> FindChildRole(int argc, char** argv) {
  if (argc < 5 || strcmp(argv[1], "--child-role") != 0 || strcmp(argv[3], "--child-fd") != 0) return std::nullopt;
  ChildRole role;
  role.role = argv[2];
  if (!absl::SimpleAtoi(argv[4], &role.fd)) return std::nullopt;
  role.log_style.component = absl::StrCat("worker/", role.role);
  for (int i = 5; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--child-device") == 0) role.device = argv[i + 1];
    if (strcmp(argv[i], "--child-arch") == 0) role.arch = argv[i + 1];
    if (strcmp(argv[i], "--child-verifications") == 0) role.verifications = argv[i + 1];
    if (strcmp(argv[i], "--child-log") == 0) ReadLogTarget(argv[i + 1], role);
    if (strcmp(argv[i], "--child-worker") == 0) role.log_style.worker = argv[i + 1];
  }
  return role;
}

int ServeChild(const ChildRole& role, const ChildParts& parts) {
  if (role.log_fd >= 0) {
    SetLogStyle(role.log_style);
    ForwardLog(role.log_fd, role.log_level);
  }
  if (role.role == "probe") {
    worker::Reply reply;
    *reply.mutable_probe() = parts.probe(role.arch);
    return Send(role.fd, reply) ? 0 : 1;
  }
  absl::StatusOr<Handler> handle = MakeHandler(role, parts);
  if (handle.ok()) return ServeRequests(role.fd, *handle);
  Send(role.fd, FailureReply(handle.status()));
  return 1;
}

}  // namespace mmtune
