// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/strategies/compile_ahead.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "search/cost_model/gaussian_process.h"
#include "search/cost_model/portable_math.h"

namespace mmtune {
namespace {

constexpr int kRounds = 2;

}  // namespace

double CompileAhead::DelayWeight(const std::vector<ResidualSample>& seen) {
  // The prior weighs as much as a sum of squares of delays of the variance of times about the slope over that of the
  // slope about the prior: some 0.15 and 0.5, squared.
  constexpr double kWeight = 0.09;
  std::vector<double> delays, residuals;
  for (const ResidualSample& one : seen) {
    delays.push_back(one.delay);
    residuals.push_back(one.residual);
  }
  return ShrunkenSlope(delays, residuals, kPrior, kWeight);
}

void CompileAhead::SetMeasurements(const std::vector<ResidualSample>& seen) {
  delay_weight_ = DelayWeight(seen);
  double timed = 0, compile_ms = 0, device_ms = 0;
  for (const ResidualSample& one : seen) {
    if (one.compile_ms <= 0 || one.device_ms <= 0) continue;
    compile_ms += one.compile_ms;
    device_ms += one.device_ms;
    ++timed;
  }
  const double most = timed > 0 ? lanes_ * device_ms / (compile_ms + timed * kModelMs) : lanes_;
  most_ = most < kMost ? static_cast<int>(most) : kMost;  // Of times that are too large for one, kMost.
}

void CompileAhead::Begin(const CandidatePool& pool, AcquisitionValues& acquisition) {
  rounds_ = 0;
  if (refused_.empty()) return;
  for (size_t i = 0; i < pool.size(); ++i) {
    if (refused_.contains(pool.code(i))) acquisition.Refuse(i);
  }
}

bool CompileAhead::MayBegin(CandidatePool& pool) {
  if (waits()) return false;
  Settle(pool, nullptr);
  return true;
}

bool CompileAhead::MayChoose(CandidatePool& pool, AcquisitionValues& acquisition) {
  if (waits()) return false;
  Settle(pool, &acquisition);
  const size_t most = MostAtOnce();
  if (most == 0 || rounds_ == kRounds || IsKnown(pool.code(acquisition.MostPromising()))) return true;
  ++rounds_;
  std::vector<size_t> unknown;
  for (size_t i = 0; i < pool.size(); ++i) {
    if (!IsKnown(pool.code(i))) unknown.push_back(i);
  }
  Ask(pool, Best(std::move(unknown), most, acquisition.scores()));
  return false;
}

void CompileAhead::Chosen(const CandidatePool& pool, const Eigen::ArrayXd& scores) {
  if (MostAtOnce() == 0) return;
  std::vector<size_t> all(pool.size());
  std::iota(all.begin(), all.end(), size_t{0});
  std::vector<size_t> best = Best(std::move(all), MostAtOnce(), scores);
  std::erase_if(best, [&](size_t i) { return IsKnown(pool.code(i)); });
  Ask(pool, best);
}

std::vector<size_t> CompileAhead::Best(std::vector<size_t> candidates, size_t most, const Eigen::ArrayXd& scores) {
  const auto end = candidates.begin() + static_cast<ptrdiff_t>(std::min(most, candidates.size()));
  std::partial_sort(candidates.begin(), end, candidates.end(), [&](size_t a, size_t b) {
    const double x = scores[static_cast<Eigen::Index>(a)], y = scores[static_cast<Eigen::Index>(b)];
    return x != y ? x > y : a < b;
  });
  candidates.erase(end, candidates.end());
  return candidates;
}

void CompileAhead::Ask(const CandidatePool& pool, const std::vector<size_t>& candidates) {
  for (size_t i : candidates) {
    CompiledFacts unknown{pool.candidate(i).schedule, CompiledFacts::End::kUnknown, {}};
    waiting_.emplace(unknown.schedule.Digest(), asked_.size());
    asked_.push_back({pool.code(i), std::move(unknown)});
  }
}

std::vector<Schedule> CompileAhead::ToCompile() {
  std::vector<Schedule> schedules;
  for (; handed_out_ < asked_.size(); ++handed_out_) schedules.push_back(asked_[handed_out_].facts.schedule);
  return schedules;
}

bool CompileAhead::Take(const CompiledFacts& facts) {
  const auto waiting = waiting_.find(facts.schedule.Digest());
  if (waiting == waiting_.end()) return false;
  asked_[waiting->second].facts = facts;
  waiting_.erase(waiting);
  return true;
}

void CompileAhead::Settle(CandidatePool& pool, AcquisitionValues* acquisition) {
  if (asked_.empty()) return;
  std::unordered_map<uint64_t, size_t> places;
  for (const RequestedCompile& asked : asked_) places.emplace(asked.code, pool.size());
  for (size_t i = 0; i < pool.size(); ++i) {
    if (const auto place = places.find(pool.code(i)); place != places.end()) place->second = i;
  }
  size_t compiled = 0, with_registers = 0, refused = 0;
  std::vector<double> residuals;
  for (const RequestedCompile& asked : asked_) {
    const bool is_compiled = asked.facts.end == CompiledFacts::End::kCompiled;
    compiled += is_compiled;
    with_registers += is_compiled && asked.facts.code.resources.registers >= 0;
    refused += asked.facts.end == CompiledFacts::End::kFailed;
    residuals.push_back(is_compiled ? LogResidual(asked.facts) : 0);
    residuals_ += residuals.back();
  }
  compiled_ += compiled;
  silent_ = compiled + refused == 0 ? silent_ + 1 : 0;
  tells_ = silent_ < kSilentRounds && (compiled == 0 || with_registers > 0);
  const double usual = compiled_ > 0 ? residuals_ / static_cast<double>(compiled_) : 0;
  for (size_t i = 0; i < asked_.size(); ++i) {
    const auto& [code, facts] = asked_[i];
    const size_t at = places.at(code);
    const bool is_there = at < pool.size();  // it may have been dropped since
    if (facts.end == CompiledFacts::End::kFailed) {
      refused_.insert(code);
      if (is_there && acquisition != nullptr) acquisition->Refuse(at);
      continue;
    }
    const double delay = facts.end == CompiledFacts::End::kCompiled ? residuals[i] - usual : 0;
    delays_[code] = delay;
    if (!is_there) continue;
    pool.Delay(at, delay);
    if (acquisition != nullptr) acquisition->Delay(at, delay_weight_ * delay);
  }
  asked_.clear();
  handed_out_ = 0;
}

double CompileAhead::LogResidual(const CompiledFacts& facts) const {
  const std::optional<PredictedTime> before = space_.Predict(facts.schedule);
  const std::optional<PredictedTime> now = space_.PredictCompiled(facts.schedule, facts.code);
  return before && now ? Settled(std::log(now->total / before->total)) : 0;
}

double CompileAhead::DelayOf(uint64_t code) const {
  const auto known = delays_.find(code);
  return known == delays_.end() ? 0 : known->second;
}

}  // namespace mmtune
