// The modules written by hand are right, silent in check mode, and right in random orders.
#include "tests/kernels/mutation/module_case.h"

#include <gtest/gtest.h>

#include "tests/kernels/mutation/mutant_run.h"

namespace mmtune {
namespace {

RunBudget manySeeds() {
  RunBudget budget;
  budget.exhaustive_seeds = 40;
  budget.seconds = 120;
  return budget;
}

TEST(ModuleCase, CpAsyncAndMmaAreCorrect) {
  const MutantResult result = runMutant(*cpAsyncMmaCase(), std::nullopt, manySeeds());
  EXPECT_EQ(result.verdict, Verdict::kHarmless) << result.detail;
}

TEST(ModuleCase, TensorCopiesAndWgmmaAreCorrect) {
  const MutantResult result = runMutant(*tmaWgmmaCase(), std::nullopt, manySeeds());
  EXPECT_EQ(result.verdict, Verdict::kHarmless) << result.detail;
}

}  // namespace
}  // namespace mmtune
