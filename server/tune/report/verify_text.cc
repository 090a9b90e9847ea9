// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/verify_text.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "proto/base/status.h"
#include "proto/base/plain_text.h"
#include "proto/json/json_reader.h"
#include "server/tune/report/format.h"

namespace mmtune {
namespace {

nlohmann::json Json(std::optional<bool> value) { return value ? nlohmann::json(*value) : nlohmann::json(); }

void Line(std::string* text, const std::string& name, const std::string& value) {
  absl::StrAppend(text, absl::StrFormat("%-14s %s\n", name, PlainText(value)));
}

/// Whether this size was watched for races: a proof that was performed has done so where that was asked for.
bool SizeWatched(const VerifyRequest& request, const VerificationReport& proof) {
  return request.watch_size && proof.performed;
}

std::string CoverText(const VerifyRequest& request, const VerificationReport& proof) {
  if (!proof.performed) return "none";
  return absl::StrCat(absl::StrJoin(proof.shapes, ", "), "; each in watch mode and in ", proof.stress_runs,
                      " stress runs", SizeWatched(request, proof) ? "; this size in watch mode" : "");
}

std::string FullSizeText(const VerifyAnswer& answer) {
  const CheckReport& check = answer.measurement.check;
  const std::string where = absl::StrCat(" on ", DeviceText(answer.device));
  if (!check.performed) return "not run";
  if (!check.passed) return absl::StrCat("wrong", where, " (", check.tier, "): ", check.detail);
  return absl::StrCat(check.tier, " passed", where);
}

std::string ErrorText(const CheckReport& check) {
  if (!check.bound_fraction || !check.relative_error) return "not measured";
  return absl::StrFormat("%.3g of the bound, %.3g of the largest magnitude", *check.bound_fraction,
                         *check.relative_error);
}

/// A wrong result at full size decides it.
std::string CorrectText(const VerificationReport& proof, const CheckReport& check) {
  const bool wrong = check.performed && !check.passed;
  if (!proof.performed && !wrong) return YesNo(std::nullopt);
  return YesNo(proof.correct && !wrong);
}

/// Without stress runs there was nothing to compare; but two runs at full size may have differed.
std::string DeterministicText(const VerificationReport& proof, const CheckReport& check) {
  if (proof.performed && !check.deterministic.value_or(true)) return "no";
  if (proof.performed && proof.stress_runs == 0) return "not compared";
  return YesNo(Deterministic(proof));
}

/// What was not established is null.
nlohmann::json ProofJson(const VerificationReport& proof) {
  nlohmann::json json = ToJson(proof);
  if (!proof.performed) json["correct"] = nullptr;
  json["race_free"] = Json(IsRaceFree(proof));
  json["deterministic"] = Json(Deterministic(proof));
  return json;
}

}  // namespace

bool IsProven(const VerifyAnswer& answer) {
  const VerificationReport& proof = answer.measurement.proof;
  return proof.performed && proof.passed && answer.measurement.check.passed &&
         answer.measurement.outcome == Outcome::kOk;
}

std::string VerdictText(const VerifyRequest& request, const VerifyAnswer& answer) {
  const Measurement& measured = answer.measurement;
  const VerificationReport& proof = measured.proof;
  const CheckReport& check = measured.check;
  std::string text = absl::StrCat(ProblemText(request.problem), "\n", PlainText(request.schedule.Text()), "\n\n");
  Line(&text, "verdict", IsProven(answer) ? "proven" : "not proven");
  if (measured.outcome != Outcome::kOk) Line(&text, "why", measured.message);
  if (!proof.performed && !proof.reason.empty()) Line(&text, "no proof", proof.reason);
  Line(&text, "correct", CorrectText(proof, check));
  Line(&text, "race-free", YesNo(IsRaceFree(proof)));
  Line(&text, "deterministic", DeterministicText(proof, check));
  Line(&text, "error", ErrorText(check));
  Line(&text, "covered", CoverText(request, proof));
  Line(&text, "at this size", FullSizeText(answer));
  Line(&text, "digest", proof.digest.empty() ? "-" : proof.digest);
  if (proof.detail.empty()) return text;
  absl::StrAppend(&text, "\n");
  for (absl::string_view line : absl::StrSplit(proof.detail, '\n')) {
    absl::StrAppend(&text, PlainText(ToStd(line)), "\n");
  }
  return text;
}

std::string VerdictJson(const VerifyRequest& request, const VerifyAnswer& answer) {
  const Measurement& measured = answer.measurement;
  return Dump({{"problem", ToJson(request.problem)},
               {"schedule", ToJson(request.schedule)},
               {"proven", IsProven(answer)},
               {"size_watched", SizeWatched(request, measured.proof)},
               {"outcome", OutcomeName(measured.outcome)},
               {"message", measured.message},
               {"proof", ProofJson(measured.proof)},
               {"check", ToJson(measured.check)},
               {"device", ToJson(answer.device)},
               {"toolchain", ToJson(answer.toolchain)}});
}

}  // namespace mmtune
