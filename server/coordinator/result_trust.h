// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a worker's result is believed, beside what a record may say at all (proto/types/validate.h).
//
// A result that is hard to believe is doubted: measured again by a worker of another party. One word against another
// convicts nobody, because the second device may be the broken one; two different parties (WorkerRegistry::PartyOf)
// that contradict a third do, and so does one where the bound of the device speaks against the claim as well.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "proto/base/clock.h"
#include "proto/types/measurement.h"

namespace mmtune {

/// So many times faster than what all others found is hard to believe; and so many times slower contradicts a claim.
inline constexpr double kFarApart = 3;
/// So many parties that contradict a worker put it into quarantine,
inline constexpr size_t kWitnesses = 2;
/// if both did so within this time.
inline constexpr Duration kAccusationLasts = std::chrono::hours(1);
/// The results of so many parties for a candidate are not believed before one counts.
inline constexpr size_t kMostClaims = 2;

/// What a worker found for a candidate.
struct Claim {
  std::string worker;
  std::string party;      ///< Of whom it is the word; ids of one party neither check nor confirm one another.
  std::string class_key;  ///< Of the device: times on those of another class say nothing of these.
  double median_ns = 0;
  int64_t unix_millis = 0;  ///< When it was made.
  bool impossible = false;  ///< Its device cannot be so fast.
  bool wrong = false;       ///< It found a wrong result.
  bool sound = false;       ///< It speaks for the kernel, not for a device in trouble or a timing that ended early.

  bool operator==(const Claim&) const = default;
  template <typename Self, typename Visitor>
  static void Fields(Self& self, Visitor&& visit) {
    visit("worker", self.worker);
    visit("party", self.party);
    visit("class_key", self.class_key);
    visit("median_ns", self.median_ns);
    visit("impossible", self.impossible);
    visit("wrong", self.wrong);
    visit("sound", self.sound);
  }
};
Claim ClaimOf(const TuningRecord& record, std::string party);
/// Those that were made on this class of devices.
std::vector<Claim> ClaimsOn(std::string_view class_key, std::vector<Claim> claims);
/// Turns a wall-clock time of the log into a TimePoint (only the wall clock goes on while no coordinator runs). A time
/// in the future, as after the clock was set back, counts as now.
TimePoint TimeOf(int64_t unix_millis, const Clock& clock);

/// "NAME at HOST" for the worker NAME/..., whose certificate has that name; empty HOST: not known. The id of any other.
std::string PartyText(std::string_view worker, std::string_view host);
/// The same name at a host that is not known is the same party.
bool SameParty(std::string_view a, std::string_view b);
/// Who contradicts a claim, as the log has it: "ID" or "ID at HOST".
struct Witness {
  std::string worker;
  std::string party;
};
std::string WitnessText(const Witness& witness);
/// What is no such text is the party and the worker in one.
Witness ParseWitness(std::string_view text);
/// How many parties these are.
size_t CountParties(const std::vector<std::string_view>& parties);

/// Whether the time in a record can be compared with those of other workers: ok, by a device without a finding, and
/// timed to the end.
bool Comparable(const Measurement& measurement);

/// Whether TooGood can be anything but empty, whatever others found.
bool MayBeTooGood(const TuningRecord& record);
/// Why an ok record of a CUDA device is to be measured again by another worker: it is kFarApart times as fast as
/// `others_ns`, the best time that other parties found for the job (0: none). Empty: it is believed. Times of the SIMT
/// device depend on what else its host does, and are never doubted so.
std::string TooGood(const TuningRecord& record, double others_ns);

enum class Belief {
  kBelieved,
  kAskAnother,  ///< It is kept as a claim, and the candidate goes to another worker.
  kSuspect,     ///< It ends the candidate and never ranks.
};
/// What to make of `now` after the `earlier` claims for the same candidate.
/// `doubtful`: `now` is impossible or TooGood; a time from a party that was not believed before is doubtful anyway.
/// `another_serves`: whether a worker of a party that has not had the candidate serves; asked only where it matters.
/// Earlier claims of the party of `now` do not count. Of each other party only its last claim counts.
Belief Weigh(const std::vector<Claim>& earlier, const Claim& now, bool doubtful,
             absl::FunctionRef<bool()> another_serves);

/// Whose word on the same candidate contradicts `claim`: it is kFarApart times as slow, or wrong. Claims that are not
/// sound neither accuse nor are accused.
std::vector<Claim> AccusersOf(const Claim& claim, const std::vector<Claim>& all);

/// What its worker is accused of, for the schedule and the problem of `record`.
std::string AccusationText(const Claim& claim, const std::vector<Claim>& all, const TuningRecord& record);

}  // namespace mmtune
