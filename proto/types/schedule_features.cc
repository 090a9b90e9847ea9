// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/schedule_features.h"

#include <cmath>

namespace mmtune {

double LogFeature(double value) {
  const double size = std::abs(value);
  const double feature = size < 1 ? size : 1 + std::log2(size);
  return std::copysign(feature, value);
}

std::vector<double> ParameterFeatures(const Schedule& schedule) {
  std::vector<double> features;
  features.reserve(schedule.params.size());
  for (const auto& [name, value] : schedule.params) features.push_back(LogFeature(static_cast<double>(value)));
  return features;
}

}  // namespace mmtune
