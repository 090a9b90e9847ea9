// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/progress.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/wire/convert.h"
#include "server/tune/report/format.h"
#include "server/tune/report/table.h"

namespace mmtune {
namespace {

constexpr Duration kLivePeriod = std::chrono::milliseconds(100);
constexpr Duration kPlainPeriod = std::chrono::seconds(5);
constexpr std::string_view kClearLine = "\r\x1b[K";

std::string Clip(std::string text, int width) {
  while (static_cast<int>(DisplayWidth(text)) > std::max(width, 10)) text.pop_back();
  return text;
}

}  // namespace

int64_t OutcomeCount(const v1::JobProgress& progress, std::string_view outcome) {
  auto found = progress.outcomes().find(std::string(outcome));
  return found == progress.outcomes().end() ? 0 : found->second;
}

int64_t FailedCount(const v1::JobProgress& progress) {
  int64_t failed = 0;
  for (const auto& [outcome, count] : progress.outcomes()) {
    if (outcome != "ok" && outcome != "rejected" && outcome != "wrong_result" && outcome != "skipped") failed += count;
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

std::string ProgressText(const v1::JobProgress& progress, double seconds_limit) {
  std::string text = absl::StrCat(progress.done());
  if (progress.planned() > 0) absl::StrAppend(&text, "/", progress.planned());
  absl::StrAppend(&text, "  ", OutcomeCount(progress, "ok"), " ok  ", OutcomeCount(progress, "rejected"), " rejected  ",
                  FailedCount(progress), " failed  ", OutcomeCount(progress, "wrong_result"), " wrong");
  if (const int64_t skipped = OutcomeCount(progress, "skipped"); skipped > 0) {
    absl::StrAppend(&text, "  ", skipped, " skipped");
  }
  if (progress.from_log() > 0) absl::StrAppend(&text, "  ", progress.from_log(), " from log");
  if (progress.best_gflops() > 0) {
    absl::StrAppend(&text, "  best ", Fixed(progress.best_gflops(), DecimalsFor(progress.best_gflops())), " GFLOPS");
  }
  const double left = SecondsLeft(progress, seconds_limit);
  if (left > 0) absl::StrAppend(&text, "  ", SecondsText(left), " left");
  return text;
}

ProgressPrinter::ProgressPrinter(std::ostream& out, const Clock& clock, const ProgressOptions& options)
    : out_(out), clock_(clock), options_(options), written_at_(clock.Now() - kPlainPeriod) {}

ProgressPrinter::~ProgressPrinter() { Finish(); }

std::string ConvergenceText(const std::vector<double>& best_gflops, size_t width) {
  constexpr std::string_view kLevels = "_.,-~=+*%#";
  const size_t count = best_gflops.size();
  const size_t columns = std::min(width, count);
  std::string text;
  for (size_t column = 0; column < columns; ++column) {
    // The best so far never falls, so that the last trial of a column is its highest.
    const double share = best_gflops[(column + 1) * count / columns - 1] / std::max(best_gflops.back(), 1e-300);
    text += kLevels[std::min(kLevels.size() - 1, static_cast<size_t>(share * static_cast<double>(kLevels.size())))];
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
    out_ << std::exchange(gap, "\n") << kClearLine << Clip(line, options_.width - 1);
  }
  out_ << std::flush;
  lines_open_ = lines.size();
}

void ProgressPrinter::KeepBest() {
  const auto trials = static_cast<size_t>(std::max<int64_t>(latest_.done() - OutcomeCount(latest_, "skipped"), 0));
  if (trials < best_gflops_.size()) best_gflops_.clear();  // It started over.
  best_gflops_.resize(trials, latest_.best_gflops());
}

std::vector<std::string> ProgressPrinter::PanelLines() const {
  std::vector<std::string> lines = {ProgressText(latest_, options_.seconds_limit)};
  if (!latest_.has_best_schedule()) return lines;
  const absl::StatusOr<Schedule> best = FromWire(latest_.best_schedule());
  if (best.ok()) lines.push_back(absl::StrCat("best so far  ", PlainText(best->Text())));
  constexpr int kBeside = 26;  // Of the line, beside the curve.
  const std::string curve = ConvergenceText(best_gflops_, static_cast<size_t>(std::max(options_.width - kBeside, 1)));
  lines.push_back(absl::StrCat("by trial     ", curve, "  ", best_gflops_.size()));
  if (latest_.proposed() > latest_.done()) {
    lines.push_back(absl::StrCat("in work      ", latest_.proposed() - latest_.done(), " candidates"));
  }
  return lines;
}

bool ProgressPrinter::PlainDue() const {
  const int64_t tenth = std::max<int64_t>(1, latest_.planned() / 10);
  const bool another_tenth = latest_.planned() > 0 && latest_.done() / tenth > written_done_ / tenth;
  // At most one line a second, as the log answers thousands of candidates in one.
  const Duration since = clock_.Now() - written_at_;
  return since >= kPlainPeriod || (another_tenth && since >= std::chrono::seconds(1));
}

void ProgressPrinter::Update(const v1::JobProgress& progress) {
  if (options_.quiet) return;
  // A change of state repeats the counts; only a live panel shows the time left again.
  if (!options_.live && written_once_ && progress.done() == latest_.done()) return;
  latest_ = progress;
  if (options_.live) KeepBest();
  dirty_ = true;
  waiting_.clear();
  if (options_.live ? clock_.Now() - written_at_ < kLivePeriod : !PlainDue()) return;
  if (options_.live) {
    WriteLive(PanelLines());
  } else {
    out_ << ProgressText(latest_, options_.seconds_limit) << std::endl;
  }
  written_at_ = clock_.Now();
  written_done_ = progress.done();
  written_once_ = true;
  dirty_ = false;
}

void ProgressPrinter::Waiting(std::string_view why) {
  if (options_.quiet || why == waiting_) return;
  waiting_ = why;
  const std::string text = absl::StrCat("waiting: ", PlainText(why));
  options_.live ? WriteLive({text}) : void(out_ << text << std::endl);
}

void ProgressPrinter::Note(std::string_view text) {
  if (options_.quiet) return;
  ClearLive();
  out_ << PlainText(text) << std::endl;
}

void ProgressPrinter::Finish() {
  if (options_.quiet) return;
  if (options_.live) {
    ClearLive();
  } else if (dirty_) {
    out_ << ProgressText(latest_, options_.seconds_limit) << std::endl;
  }
  dirty_ = false;
}

}  // namespace mmtune
