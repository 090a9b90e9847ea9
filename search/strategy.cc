// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/strategy.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/base/status.h"
#include "search/evolutionary_strategy.h"
#include "search/exhaustive_strategy.h"
#include "search/list_strategy.h"
#include "search/random_strategy.h"

namespace mmtune {

const std::vector<std::string>& StrategyNames() {
  static const auto* names = new std::vector<std::string>{"exhaustive", "random", "evolutionary"};
  return *names;
}

absl::StatusOr<std::unique_ptr<Strategy>> CreateStrategy(std::string_view name, const SearchSpace& space,
                                                         const StrategyOptions& options) {
  if (name == "exhaustive") return std::make_unique<ExhaustiveStrategy>(space, options);
  if (name == "random") return std::make_unique<RandomStrategy>(space, options);
  if (name == "evolutionary") return std::make_unique<EvolutionaryStrategy>(space, options);
  return InvalidArgument(
      absl::StrCat("unknown strategy '", ToAbsl(name), "'; known: ", absl::StrJoin(StrategyNames(), ", ")));
}

std::unique_ptr<Strategy> CreateListStrategy(std::vector<Schedule> schedules) {
  return std::make_unique<ListStrategy>(schedules);
}

}  // namespace mmtune
