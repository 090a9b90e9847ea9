// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/status.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace mmtune {
namespace {

absl::Status FailAfter(const absl::Status& status, bool& reached) {
  RETURN_IF_ERROR(status);
  reached = true;
  return absl::OkStatus();
}

TEST(ReturnIfError, ReturnsTheErrorAndOnlyAnError) {
  bool reached = false;
  EXPECT_EQ(FailAfter(NotFound("gone"), reached), absl::NotFoundError("gone"));
  EXPECT_FALSE(reached);
  EXPECT_TRUE(FailAfter(absl::OkStatus(), reached).ok());
  EXPECT_TRUE(reached);
}

TEST(ReturnIfError, EvaluatesItsArgumentOnceAndIsOneStatement) {
  int evaluations = 0;
  auto count = [&evaluations]() -> absl::Status {
    ++evaluations;
    return absl::OkStatus();
  };
  auto run = [&count](bool yes) -> absl::Status {
    if (yes)
      RETURN_IF_ERROR(count());
    else
      return Internal("not asked");
    return absl::OkStatus();
  };
  EXPECT_TRUE(run(true).ok());
  EXPECT_EQ(evaluations, 1);
  EXPECT_EQ(run(false).message(), "not asked");
}

absl::StatusOr<std::unique_ptr<int>> Number(int value) {
  if (value < 0) return InvalidArgument("negative");
  return std::make_unique<int>(value);
}

absl::StatusOr<int> Sum(int a, int b) {
  ASSIGN_OR_RETURN(std::unique_ptr<int> first, Number(a));
  std::unique_ptr<int> second;
  ASSIGN_OR_RETURN(second, Number(b));
  return *first + *second;
}

TEST(AssignOrReturn, MovesTheValueOrReturnsTheError) {
  EXPECT_EQ(*Sum(2, 3), 5);
  EXPECT_EQ(Sum(-1, 3).status(), absl::InvalidArgumentError("negative"));
  EXPECT_EQ(Sum(2, -1).status(), absl::InvalidArgumentError("negative"));
}

TEST(WithContext, PrependsToAnErrorAndKeepsItsCode) {
  EXPECT_EQ(WithContext(Unavailable("no route"), "server a:1"), absl::UnavailableError("server a:1: no route"));
  EXPECT_TRUE(WithContext(absl::OkStatus(), "nothing").ok());
}

TEST(StatusHelpers, MakeTheCodesTheyAreNamedAfter) {
  EXPECT_EQ(InvalidArgument("m"), absl::InvalidArgumentError("m"));
  EXPECT_EQ(NotFound("m"), absl::NotFoundError("m"));
  EXPECT_EQ(FailedPrecondition("m"), absl::FailedPreconditionError("m"));
  EXPECT_EQ(ResourceExhausted("m"), absl::ResourceExhaustedError("m"));
  EXPECT_EQ(Unavailable("m"), absl::UnavailableError("m"));
  EXPECT_EQ(Internal("m"), absl::InternalError("m"));
}

TEST(StringViews, CrossOverWhole) {
  const std::string text("a\0b", 3);
  EXPECT_EQ(std::string(ToAbsl(text)), text);
  EXPECT_EQ(std::string(ToStd(ToAbsl(text))), text);
}

}  // namespace
}  // namespace mmtune
