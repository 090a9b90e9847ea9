// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/noise.h"

#include <algorithm>
#include <random>
#include <thread>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "server/tune/report/format.h"

namespace mmtune {
namespace {

/// The least number of samples that has two halves worth comparing.
constexpr size_t kLeastSamples = 6;

/// Returns the first finding about the device among the records; empty if there is none.
std::string FirstDeviceFinding(const std::vector<TuningRecord>& records) {
  for (const TuningRecord& record : records) {
    if (std::string finding = DeviceFinding(record); !finding.empty()) return finding;
  }
  return "";
}

/// Returns the index of the ranking's fastest schedule by one half of the samples; nullopt if no schedule has enough.
std::optional<size_t> WinnerOf(const std::vector<std::vector<double>>& samples, bool second_half) {
  std::optional<size_t> winner;
  double least = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    const size_t half = samples[i].size() / 2;
    if (samples[i].size() < kLeastSamples) continue;
    const auto begin = samples[i].begin() + static_cast<int64_t>(second_half ? samples[i].size() - half : 0);
    const double median = Spread(std::vector<double>(begin, begin + static_cast<int64_t>(half))).median;
    if (winner && median >= least) continue;
    winner = i;
    least = median;
  }
  return winner;
}

/// Returns the samples by which the schedules of a ranking are compared. Those that were not compared with the
/// reference have none where others were: their samples are of other moments.
std::vector<std::vector<double>> SamplesOf(const std::vector<RankedRecord>& ranking) {
  const bool compared = std::any_of(ranking.begin(), ranking.end(),
                                    [](const RankedRecord& entry) { return entry.comparison.has_value(); });
  std::vector<std::vector<double>> samples;
  for (const RankedRecord& entry : ranking) {
    const Timing timing = AsRanked(entry).measurement.timing;
    const bool is_reference = std::any_of(ranking.begin(), ranking.end(), [&entry](const RankedRecord& other) {
      return other.comparison && other.comparison->reference == entry.record.schedule;
    });
    if (compared && !is_reference && !entry.comparison) {
      samples.emplace_back();
      continue;
    }
    // Ratios to a reference say nothing of its own changes.
    samples.push_back(is_reference ? std::vector(kLeastSamples, timing.median_ns) : timing.samples_ns);
  }
  return samples;
}

}  // namespace

bool IsWide(const Timing& timing) { return SpreadPercent(timing) > kMarkedSpreadPercent; }

std::string WideSpreadNote() { return absl::StrCat("~ spread above ", kMarkedSpreadPercent, " %"); }

bool HostLoad::AboveCores() const { return average > static_cast<double>(cores) && runnable > cores; }

std::string HostLoad::Text() const {
  return absl::StrCat("load ", Fixed(average, 1), " on ", cores, cores == 1 ? " core" : " cores");
}

std::optional<HostLoad> ParseHostLoad(std::string_view text, int64_t cores) {
  const std::vector<std::string> fields = absl::StrSplit(ToAbsl(text), ' ');
  if (fields.size() < 4 || cores < 1) return std::nullopt;
  const std::vector<std::string> threads = absl::StrSplit(fields[3], '/');
  HostLoad load;
  load.cores = cores;
  if (!absl::SimpleAtod(fields[0], &load.average) || !absl::SimpleAtoi(threads[0], &load.runnable)) return std::nullopt;
  return load;
}

std::optional<HostLoad> ReadHostLoad() {
  const auto text = ReadWholeFile("/proc/loadavg");
  return text.ok() ? ParseHostLoad(*text, static_cast<int64_t>(std::thread::hardware_concurrency())) : std::nullopt;
}

std::string DeviceFinding(const TuningRecord& record) {
  const Conditions& conditions = record.measurement.conditions;
  if (!conditions.health.finding.empty() || !conditions.comparison) return conditions.health.finding;
  return conditions.comparison->finding;
}

NoiseWarning FindNoise(const std::vector<TuningRecord>& records, const std::optional<HostLoad>& load) {
  std::vector<std::string> found, remedies;
  const double spread = records.empty() ? 0 : SpreadPercent(records.front().measurement.timing);
  if (spread > kNoisySpreadPercent) found.push_back(absl::StrCat("the best's spread is ", Fixed(spread, 1), " %"));
  if (load && load->AboveCores()) found.push_back(load->Text());
  if (!found.empty()) remedies.emplace_back("end other programs");
  if (const std::string finding = FirstDeviceFinding(records); !finding.empty()) {
    found.push_back(absl::StrCat("of the device: ", finding));
    remedies.emplace_back("let the device cool, free it of other work, or fix its clock (nvidia-smi -lgc)");
  }
  if (found.empty()) return {};
  remedies.emplace_back("measure again with --remeasure");
  return {absl::StrJoin(found, "; "), absl::StrJoin(remedies, ", and ")};
}

std::string WinnerFlipText(const std::vector<RankedRecord>& ranking) {
  const std::vector<std::vector<double>> samples = SamplesOf(ranking);
  const std::optional<size_t> first = WinnerOf(samples, false), second = WinnerOf(samples, true);
  if (!first || *first == *second) return "";
  return absl::StrCat("row ", *first + 1, " in the first half, row ", *second + 1, " in the second");
}

std::optional<int> WinnerFlips(const std::vector<RankedRecord>& ranking) {
  std::vector<std::vector<double>> samples = SamplesOf(ranking);
  const auto enough = [](const std::vector<double>& own) { return own.size() >= kLeastSamples; };
  if (std::count_if(samples.begin(), samples.end(), enough) < 2) return std::nullopt;
  std::mt19937_64 random(1);  // NOLINT(cert-msc51-cpp): the same log gives the same text.
  int flips = 0;
  for (int i = 0; i < kWinnerDivisions; ++i) {
    for (std::vector<double>& own : samples) {
      for (size_t left = own.size(); left > 1; --left) std::swap(own[left - 1], own[random() % left]);
    }
    flips += WinnerOf(samples, false) != WinnerOf(samples, true);
  }
  return flips;
}

}  // namespace mmtune
