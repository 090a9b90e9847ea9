// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/doubt_note.h"

#include "proto/base/status.h"
#include "proto/json/json_reader.h"
#include "proto/types/field_json.h"

namespace mmtune {
namespace {

constexpr int kDepth = 2;

}  // namespace

WorkerNote ToNote(const DoubtedClaim& doubted) {
  return {WorkerNoteKind::kDoubted, doubted.claim.worker, Dump(ToJson(doubted)), doubted.claim.unix_millis};
}

absl::StatusOr<DoubtedClaim> DoubtedClaimOf(const WorkerNote& note) {
  ASSIGN_OR_RETURN(DoubtedClaim doubted, ValueFromJson<DoubtedClaim>(note.about, kDepth));
  doubted.claim.unix_millis = note.unix_millis;
  return doubted;
}

}  // namespace mmtune
