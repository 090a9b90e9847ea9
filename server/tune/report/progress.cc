// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/progress.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "nlohmann/json.hpp"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "server/tune/report/format.h"
#include "server/tune/report/schedule_text.h"
#include "server/tune/report/text_layout.h"

namespace mmtune {
namespace {

constexpr Duration kLivePeriod = std::chrono::milliseconds(100);
constexpr Duration kTickPeriod = std::chrono::seconds(1);
constexpr Duration kPlainPeriod = std::chrono::seconds(5);
/// The end of the time left when all trials are done.
constexpr char kForComparison[] = " for the comparison";
constexpr std::string_view kClearLine = "\r\x1b[K";

/// The eighths of a character, from one to eight, that fill it from the left, and from below.
constexpr std::string_view kLeftBlocks[] = {"▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
constexpr std::string_view kLowerBlocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::string_view kEmptyBlock = "░";
constexpr int kEighths = 8;

/// Returns "10 ok, 1 wrong, 2 in work", without what there is none of.
std::string CountsText(const v1::JobProgress& progress) {
  std::vector<std::string> parts = {absl::StrCat(OutcomeCount(progress, "ok"), " ok")};
  const auto add = [&parts](int64_t count, const char* what) {
    if (count > 0) parts.push_back(absl::StrCat(count, " ", what));
  };
  add(OutcomeCount(progress, "rejected"), "rejected");
  add(FailedCount(progress), "failed");
  add(OutcomeCount(progress, "wrong_result"), "wrong");
  add(OutcomeCount(progress, "skipped"), "skipped");
  add(progress.from_log(), "from log");
  add(progress.proposed() - progress.done(), "in work");
  return absl::StrJoin(parts, ", ");
}

}  // namespace

int64_t OutcomeCount(const v1::JobProgress& progress, std::string_view outcome) {
  auto found = progress.outcomes().find(std::string(outcome));
  return found == progress.outcomes().end() ? 0 : found->second;
}

bool IsFailure(std::string_view outcome) {
  return outcome != "ok" && outcome != "rejected" && outcome != "wrong_result" && outcome != "skipped";
}

int64_t FailedCount(const v1::JobProgress& progress) {
  int64_t failed = 0;
  for (const auto& [outcome, count] : progress.outcomes()) {
    if (IsFailure(outcome)) failed += count;
  }
  return failed;
}

double SecondsLeft(const v1::JobProgress& progress, double seconds_limit) {
  double left = -1;
  const int64_t measured = progress.done() - progress.from_log();
  const int64_t remaining = progress.planned() - progress.done();
  if (progress.planned() > 0 && remaining <= 0) return 0;
  if (progress.planned() > 0 && measured > 0) left = progress.elapsed_seconds() / measured * remaining;
  if (seconds_limit > 0) {
    const double until_limit = std::max(0.0, seconds_limit - progress.elapsed_seconds());
    left = left < 0 ? until_limit : std::min(left, until_limit);
  }
  return left;
}

std::string ProgressText(const v1::JobProgress& progress, double seconds_left) {
  std::string text = absl::StrCat(progress.done());
  if (progress.planned() > 0) absl::StrAppend(&text, "/", progress.planned());
  absl::StrAppend(&text, "  ", OutcomeCount(progress, "ok"), " ok  ", OutcomeCount(progress, "rejected"), " rejected  ",
                  FailedCount(progress), " failed  ", OutcomeCount(progress, "wrong_result"), " wrong");
  if (const int64_t skipped = OutcomeCount(progress, "skipped"); skipped > 0) {
    absl::StrAppend(&text, "  ", skipped, " skipped");
  }
  if (progress.from_log() > 0) absl::StrAppend(&text, "  ", progress.from_log(), " from log");
  if (progress.best_gflops() > 0) absl::StrAppend(&text, "  best ", SpeedText(progress.best_gflops()));
  if (seconds_left > 0) absl::StrAppend(&text, "  ", SecondsText(seconds_left), " left");
  return text;
}

std::string ProgressJson(const ProgressCounts& counts) {
  const nlohmann::ordered_json json = {
      {"done", counts.done}, {"planned", counts.planned}, {"failed", counts.failed}, {"best_ns", counts.best_ns}};
  return json.dump();
}

std::string NoteJson(std::string_view text) {
  return nlohmann::ordered_json{{"note", PlainText(text)}}.dump(-1, ' ', true,
                                                                nlohmann::ordered_json::error_handler_t::replace);
}

std::string BarText(double share, size_t width) {
  const auto eighths = static_cast<size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(kEighths * width));
  std::string bar;
  for (size_t i = 0; i < width; ++i) {
    const size_t full = std::min<size_t>(eighths - std::min(eighths, kEighths * i), kEighths);
    bar += full == 0 ? kEmptyBlock : kLeftBlocks[full - 1];
  }
  return bar;
}

ProgressPrinter::ProgressPrinter(std::ostream& out, const Clock& clock, const ProgressOptions& options)
    : out_(out),
      clock_(clock),
      options_(options),
      began_(options.began.value_or(clock.Now())),
      updated_at_(clock.Now()),
      written_at_(clock.Now() - kPlainPeriod) {}

ProgressPrinter::~ProgressPrinter() { Finish(); }

std::string ConvergenceText(const std::vector<double>& best_gflops, size_t width) {
  const size_t count = best_gflops.size();
  const size_t columns = std::min(width, count);
  std::string text;
  for (size_t column = 0; column < columns; ++column) {
    // The best so far never falls, so that the last trial of a column is its highest.
    const double share = best_gflops[(column + 1) * count / columns - 1] / std::max(best_gflops.back(), 1e-300);
    text += kLowerBlocks[std::min(kEighths - 1, static_cast<int>(share * kEighths))];
  }
  return text;
}

void ProgressPrinter::ClearLive() {
  if (lines_open_ == 0) return;
  if (lines_open_ > 1) out_ << "\x1b[" << lines_open_ - 1 << "A\r\x1b[J";
  out_ << kClearLine << std::flush;
  lines_open_ = 0;
}

void ProgressPrinter::WriteLive(const std::vector<std::string>& lines) {
  if (lines_open_ > 1) out_ << "\x1b[" << lines_open_ - 1 << "A";
  // Clears what a shorter panel would leave.
  if (lines_open_ > lines.size()) out_ << "\r\x1b[J";
  std::string_view gap;
  for (const std::string& line : lines) {
    out_ << std::exchange(gap, "\n") << kClearLine << line;
  }
  out_ << std::flush;
  lines_open_ = lines.size();
}

void ProgressPrinter::KeepBest() {
  const auto trials = static_cast<size_t>(std::max<int64_t>(latest_.done() - OutcomeCount(latest_, "skipped"), 0));
  if (trials < best_gflops_.size()) best_gflops_.clear();  // It started over.
  best_gflops_.resize(trials, latest_.best_gflops());
}

double ProgressPrinter::Left() const {
  const double left = SecondsLeft(latest_, options_.seconds_limit);
  if (left < 0 && expected_end_) return std::max(0.0, Seconds(*expected_end_ - clock_.Now())) + seconds_after_;
  if (left < 0) return left;
  return std::max(0.0, left - Seconds(clock_.Now() - updated_at_)) + seconds_after_;
}

bool ProgressPrinter::OnlyAfter() const {
  return seconds_after_ > 0 && latest_.planned() > 0 && latest_.done() >= latest_.planned();
}

std::string ProgressPrinter::PlainLine() const {
  const double left = Left();
  return absl::StrCat(ProgressText(latest_, left), OnlyAfter() && left > 0 ? kForComparison : "");
}

std::string ProgressPrinter::JsonLine() const {
  const double speed = latest_.best_gflops();
  return ProgressJson({.done = latest_.done(),
                       .planned = latest_.planned(),
                       .failed = latest_.done() - OutcomeCount(latest_, "ok") - OutcomeCount(latest_, "skipped"),
                       .best_ns = options_.problem && speed > 0 ? options_.problem->Flops() / speed : 0});
}

std::string ProgressPrinter::TimesLine() const {
  const double elapsed = Seconds(clock_.Now() - began_), left = Left();
  std::string text = absl::StrCat(latest_.done());
  if (latest_.planned() > 0) absl::StrAppend(&text, "/", latest_.planned());
  absl::StrAppend(&text, "  ", SecondsText(elapsed), " elapsed");
  if (left > 0) absl::StrAppend(&text, ", about ", SecondsText(left), " left", OnlyAfter() ? kForComparison : "");
  const double share = latest_.planned() > 0
                           ? static_cast<double>(latest_.done()) / static_cast<double>(latest_.planned())
                       : left >= 0 ? elapsed / std::max(elapsed + left, 1e-9)
                                   : -1;
  constexpr int kLongestBar = 30;
  const int room = std::min(kLongestBar, options_.width - 3 - static_cast<int>(DisplayWidth(text)));
  return share < 0 || room < 5 ? text : absl::StrCat(BarText(share, static_cast<size_t>(room)), "  ", text);
}

std::vector<std::string> ProgressPrinter::PanelLines() const {
  const auto width = static_cast<size_t>(std::max(options_.width - 1, 10));
  std::vector<std::string> lines = {Clipped(TimesLine(), width)};
  if (latest_.done() + latest_.proposed() > 0) {
    lines.push_back(Clipped(absl::StrCat("trials    ", CountsText(latest_)), width));
  }
  if (!latest_.has_best_schedule() || !options_.problem) return lines;
  const std::string speed = SpeedText(latest_.best_gflops());
  if (const absl::StatusOr<Schedule> best = FromWire(latest_.best_schedule()); best.ok()) {
    const std::string line =
        absl::StrCat("best      ", speed, ": ", PlainText(ScheduleSummary(*options_.problem, *best)));
    lines.push_back(Painted(Clipped(line, width), Paint::kBold, options_.color));
  }
  const std::string legend = absl::StrCat("  best so far after each trial: ", ToAbsl(kLowerBlocks[0]), " 0, ",
                                          ToAbsl(kLowerBlocks[kEighths - 1]), " ", speed);
  constexpr size_t kLabel = 10, kLeastCurve = 10;
  const size_t room = width - std::min(width, kLabel + DisplayWidth(legend));
  lines.push_back(
      Clipped(absl::StrCat("history   ", ConvergenceText(best_gflops_, std::max(room, kLeastCurve)), legend), width));
  return lines;
}

void ProgressPrinter::WritePanel() {
  WriteLive(PanelLines());
  written_at_ = clock_.Now();
}

void ProgressPrinter::Tick() {
  if (!options_.live || options_.quiet || !written_once_ || !waiting_.empty()) return;
  if (clock_.Now() - written_at_ >= kTickPeriod) WritePanel();
}

bool ProgressPrinter::PlainDue() const {
  const int64_t tenth = std::max<int64_t>(1, latest_.planned() / 10);
  const bool another_tenth = latest_.planned() > 0 && latest_.done() / tenth > written_done_ / tenth;
  // At most one line a second, as the log answers thousands of candidates in one.
  const Duration since = clock_.Now() - written_at_;
  if (options_.json) return since >= kLivePeriod;
  return since >= kPlainPeriod || (another_tenth && since >= std::chrono::seconds(1));
}

void ProgressPrinter::Update(const v1::JobProgress& progress) {
  if (options_.quiet) return;
  // A change of state repeats the counts; only a live panel shows the time left again.
  if (!options_.live && (progress.done() == 0 || (written_once_ && progress.done() == latest_.done()))) return;
  latest_ = progress;
  updated_at_ = clock_.Now();
  if (options_.live) KeepBest();
  dirty_ = true;
  waiting_.clear();
  if (options_.live ? clock_.Now() - written_at_ < kLivePeriod : !PlainDue()) return;
  if (options_.live) {
    WritePanel();
  } else {
    out_ << (options_.json ? JsonLine() : PlainLine()) << std::endl;
    written_at_ = clock_.Now();
  }
  written_done_ = progress.done();
  written_once_ = true;
  dirty_ = false;
}

void ProgressPrinter::Waiting(std::string_view line) {
  if (options_.quiet || line == waiting_) return;
  waiting_ = line;
  const std::string text = options_.json ? NoteJson(line) : PlainText(line);
  options_.live ? WriteLive({Clipped(text, static_cast<size_t>(std::max(options_.width - 1, 10)))})
                : void(out_ << text << std::endl);
}

void ProgressPrinter::Note(std::string_view text) {
  if (options_.quiet) return;
  if (options_.json) return void(out_ << NoteJson(text) << std::endl);
  ClearLive();
  const size_t width = options_.live ? static_cast<size_t>(std::max(options_.width, 10)) : 0;
  for (const std::string& line : WrapText(PlainText(text), width)) out_ << line << '\n';
  out_ << std::flush;
}

void ProgressPrinter::Finish() {
  if (options_.quiet) return;
  if (options_.live) {
    ClearLive();
  } else if (dirty_) {
    out_ << (options_.json ? JsonLine() : PlainLine()) << std::endl;
  }
  dirty_ = false;
}

}  // namespace mmtune
