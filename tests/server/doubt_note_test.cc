// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/doubt_note.h"

#include "gtest/gtest.h"
#include "tests/value_fields.h"

namespace mmtune {
namespace {

// The time of a claim is the note's: the one member that is no field.
TEST(DoubtNote, NoMemberIsForgotten) {
  EXPECT_EQ(FieldNames<DoubtedClaim>().size(), CountMembers<DoubtedClaim>());
  EXPECT_EQ(FieldNames<Claim>().size() + 1, CountMembers<Claim>());
}

TEST(DoubtNote, GivesTheWholeClaimBack) {
  auto doubted = Filled<DoubtedClaim>();
  doubted.claim.unix_millis = 17;
  const absl::StatusOr<DoubtedClaim> back = DoubtedClaimOf(ToNote(doubted));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(back->lease, doubted.lease);
  EXPECT_EQ(back->claim, doubted.claim);
}

}  // namespace
}  // namespace mmtune
