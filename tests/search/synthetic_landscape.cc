// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/search/synthetic_landscape.h"

#include <cmath>
#include <cstdlib>

namespace mmtune {
namespace {

double Log2Distance(const Schedule& schedule, const char* name, double best) {
  return std::abs(std::log2(static_cast<double>(schedule.Get(name, 1))) - std::log2(best));
}

}  // namespace

double SyntheticMedianNs(const Schedule& schedule) {
  double cost = 1;
  cost += 0.25 * Log2Distance(schedule, "bm", 64) + 0.25 * Log2Distance(schedule, "bn", 128);
  cost += 0.35 * Log2Distance(schedule, "bk", 16);
  // The thread tile should be square, and its best size follows the block tile's.
  const auto tm = static_cast<double>(schedule.Get("tm", 1)), tn = static_cast<double>(schedule.Get("tn", 1));
  cost += 0.2 * std::abs(std::log2(tm / tn));
  cost += 0.3 * Log2Distance(schedule, "tm", static_cast<double>(schedule.Get("bm", 64)) / 8);
  cost += schedule.Get("stages", 1) == 1 ? 0.6 : 0.1 * std::abs(static_cast<double>(schedule.Get("stages", 1)) - 3);
  cost += 0.05 * Log2Distance(schedule, "raster", 4) + 0.05 * Log2Distance(schedule, "unroll", 2);
  const std::string digest = schedule.Digest();
  const auto rough = static_cast<double>(std::strtol(digest.substr(0, 4).c_str(), nullptr, 16)) / 65536;
  return 1e5 * cost * (1 + 0.05 * rough);
}

const FakeFamily& LandscapeFamily() {
  static const auto* family = new FakeFamily(
      "landscape",
      {{"bm", {8, 16, 32, 64, 128, 256}},
       {"bn", {8, 16, 32, 64, 128, 256}},
       {"tm", {1, 2, 4, 8, 16}},
       {"tn", {1, 2, 4, 8, 16}},
       {"bk", {4, 8, 16, 32, 64}},
       {"stages", {1, 2, 3, 4, 5}},
       {"raster", {1, 2, 4, 8}},
       {"unroll", {1, 2, 4}}},
      {{"threads", 4,
        [](const int64_t* v) {
          if (v[0] % v[2] != 0 || v[1] % v[3] != 0) return false;
          int64_t threads = v[0] / v[2] * (v[1] / v[3]);
          return threads % 32 == 0 && threads <= 1024;
        }},
       {"shared memory", 6, [](const int64_t* v) { return (v[0] + v[1]) * v[4] * v[5] * 4 <= 100'000; }}});
  return *family;
}

}  // namespace mmtune
