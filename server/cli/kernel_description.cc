// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/kernel_description.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kernels/families/geometry_features.h"
#include "kernels/families/space_family.h"
#include "kernels/families/time_model.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/json/object_reader.h"
#include "proto/json/strict_parse.h"
#include "proto/json/value_json.h"
#include "proto/types/schedule_features.h"

namespace mmtune {
namespace {

constexpr int kMaxDepth = 4;
/// Registers of a thread beside its sums and what it multiplies next: addresses, counters.
constexpr int64_t kOtherRegisters = 24;
/// Clocks of a block at a barrier, as for a kernel of ours that copies without cp.async.
constexpr double kBarrierClocks = 200;
/// Floats of a request of a warp.
constexpr double kWavefront = 32;
constexpr int64_t kWidestVector = 4;

struct NamedRole {
  const char* name;
  KernelRole KernelDescription::* role;
};
constexpr NamedRole kRoles[] = {
    {"block_m", &KernelDescription::block_m},     {"block_n", &KernelDescription::block_n},
    {"block_k", &KernelDescription::block_k},     {"threads_m", &KernelDescription::threads_m},
    {"threads_n", &KernelDescription::threads_n}, {"vector_a", &KernelDescription::vector_a},
    {"vector_b", &KernelDescription::vector_b},   {"shared_a", &KernelDescription::shared_a},
    {"shared_b", &KernelDescription::shared_b},
};

int64_t ValueOf(const KernelRole& role, const Schedule& schedule) {
  const auto* constant = std::get_if<int64_t>(&role);
  return constant != nullptr ? *constant : schedule.Get(std::get<std::string>(role));
}

/// Within what a kernel may have: at least 1, and so small that products of three do not overflow.
int64_t RoleOf(const KernelRole& role, const Schedule& schedule) {
  return std::clamp<int64_t>(ValueOf(role, schedule), 1, int64_t{1} << 20);
}

double StagedIn(const KernelRole& role, const Schedule& schedule) { return ValueOf(role, schedule) != 0 ? 1 : 0; }

/// One operand of the tile.
struct Operand {
  double width;       ///< Of the block's tile, in elements.
  double per_thread;  ///< Of the thread's.
  double lanes;       ///< Lanes of a warp that have different elements of it.
  double vector;
  bool shared;
};

/// What reading it for one k costs a warp, and copying it a thread of the block.
void AddOperand(const Operand& operand, double block_k, double warps, LoopCost& cost) {
  const double loads = operand.per_thread / operand.vector;
  cost.instructions += block_k * loads;
  cost.wavefronts += warps * block_k * std::max(loads, operand.per_thread * operand.lanes / kWavefront);
  cost.bytes += 4 * block_k * operand.width;
  if (!operand.shared) return;
  const double copies = block_k * operand.width / operand.vector / (32 * warps);
  cost.instructions += 2 * copies;
  cost.wavefronts += block_k * operand.width / kWavefront;
}

void ReadRoles(ObjectReader& reader, KernelDescription& description) {
  if (std::optional<JsonValue> only_with = reader.Find("only_with")) {
    for (JsonValue member : *only_with) {
      if (!member.is_string())
        reader.Fail("only_with", "does not name a parameter for each parameter");
      else
        description.only_with.emplace(member.name(), member.Text());
    }
  }
  if (std::optional<JsonValue> roles = reader.Find("roles")) {
    for (const NamedRole& role : kRoles) {
      if (!roles->Find(role.name)) reader.Fail("roles", absl::StrCat("does not say what is the ", role.name));
    }
    for (JsonValue member : *roles) {
      const auto* role = std::find_if(std::begin(kRoles), std::end(kRoles),
                                      [&](const NamedRole& named) { return named.name == member.name(); });
      if (role == std::end(kRoles)) {
        reader.Fail("roles", absl::StrCat("has '", PlainText(member.name()), "', which is none"));
      } else if (member.is_string()) {
        description.*(role->role) = std::string(member.Text());
      } else if (std::optional<int64_t> constant = member.Int()) {
        description.*(role->role) = *constant;
      } else {
        reader.Fail("roles",
                    absl::StrCat("gives '", PlainText(member.name()), "' neither a parameter nor a whole number"));
      }
    }
  }
}

}  // namespace

ScheduleGeometry KernelDescription::Describe(const Schedule& schedule) const {
  auto of = [&schedule](const KernelRole& role) { return RoleOf(role, schedule); };
  const int64_t across_m = of(threads_m), across_n = of(threads_n);
  const bool stages_a = StagedIn(shared_a, schedule) > 0, stages_b = StagedIn(shared_b, schedule) > 0;
  ScheduleGeometry geometry;
  geometry.tile = {of(block_m), of(block_n), of(block_k)};
  geometry.threads = across_m * across_n;
  const int64_t tile_m = CeilDiv(geometry.tile.m, across_m), tile_n = CeilDiv(geometry.tile.n, across_n);
  geometry.blocks = CeilDiv(problem.m, geometry.tile.m) * CeilDiv(problem.n, geometry.tile.n) * problem.batch;
  geometry.sharedBytes = 4 * geometry.tile.k * ((stages_a ? geometry.tile.m : 0) + (stages_b ? geometry.tile.n : 0));
  geometry.registers = tile_m * tile_n + tile_m + tile_n + kOtherRegisters;
  geometry.bytesMoved =
      OperandBytesRead(problem, CeilDiv(problem.m, geometry.tile.m), CeilDiv(problem.n, geometry.tile.n)) +
      4 * static_cast<double>(problem.ElementsC());

  const auto block_steps = static_cast<double>(geometry.tile.k);
  const auto warps = static_cast<double>(geometry.warps());
  LoopCost& loop = geometry.loop;
  loop.steps = static_cast<double>(CeilDiv(problem.k, geometry.tile.k));
  loop.multiplyAdds = 32 * block_steps * static_cast<double>(tile_m * tile_n);
  loop.instructions = loop.multiplyAdds / 32;
  const int64_t lanes_m = std::min<int64_t>(across_m, 32);
  auto operand = [&](int64_t width, int64_t per_thread, int64_t lanes, const KernelRole& vector, bool shared) {
    const int64_t floats = std::clamp<int64_t>(of(vector), 1, std::min(kWidestVector, per_thread));
    return Operand{static_cast<double>(width), static_cast<double>(per_thread), static_cast<double>(lanes),
                   static_cast<double>(floats), shared};
  };
  AddOperand(operand(geometry.tile.m, tile_m, lanes_m, vector_a, stages_a), block_steps, warps, loop);
  AddOperand(operand(geometry.tile.n, tile_n, 32 / lanes_m, vector_b, stages_b), block_steps, warps, loop);
  // Tiles that are staged are asked for at once. An operand that is read where it lies comes line by line from L2, a
  // new one for each k, as no warp of the block has been there before.
  loop.latency = kGlobalLatency + (stages_a && stages_b ? 0 : block_steps * kL2Latency);
  loop.exposed = stages_a || stages_b ? 2 * kBarrierClocks : 0;
  return geometry;
}

std::vector<double> KernelDescription::Features(const Schedule& schedule) const {
  Schedule effective = schedule;
  for (const auto& [parameter, switched_by] : only_with) {
    if (schedule.Get(switched_by) == 0) effective.params[parameter] = 0;
  }
  std::vector<double> features = ParameterFeatures(effective);
  const ScheduleGeometry geometry = Describe(schedule);
  const std::vector<double> implied = GeometryFeatures(problem, geometry, device);
  features.insert(features.end(), implied.begin(), implied.end());
  const auto tile_m = static_cast<double>(geometry.tile.m) / static_cast<double>(RoleOf(threads_m, schedule));
  const auto tile_n = static_cast<double>(geometry.tile.n) / static_cast<double>(RoleOf(threads_n, schedule));
  const double staged_a = StagedIn(shared_a, schedule), staged_b = StagedIn(shared_b, schedule);
  const double copied = static_cast<double>(geometry.tile.k) / static_cast<double>(geometry.threads);
  for (double more : {std::log2(tile_m), std::log2(tile_n), std::log2(tile_m / tile_n),
                      // Floats per multiply-add, from shared memory and from L1; copies of a thread.
                      staged_a / tile_n + staged_b / tile_m, (1 - staged_a) / tile_n + (1 - staged_b) / tile_m,
                      staged_a * static_cast<double>(geometry.tile.m) * copied,
                      staged_b * static_cast<double>(geometry.tile.n) * copied}) {
    features.push_back(more);
  }
  return features;
}

PredictedTime KernelDescription::Predict(const Schedule& schedule) const {
  return PredictTime(problem, Describe(schedule), device);
}

absl::Status KernelDescription::CheckParameters(const Schedule& schedule) const {
  auto check = [&schedule](const std::string& name) {
    if (schedule.params.contains(name)) return absl::OkStatus();
    return InvalidArgument(
        absl::StrCat("the description names the parameter '", PlainText(name), "', which the landscape does not have"));
  };
  for (const NamedRole& role : kRoles) {
    const auto* name = std::get_if<std::string>(&(this->*role.role));
    if (name != nullptr) RETURN_IF_ERROR(check(*name));
  }
  for (const auto& [parameter, switched_by] : only_with) {
    RETURN_IF_ERROR(check(parameter));
    RETURN_IF_ERROR(check(switched_by));
  }
  return absl::OkStatus();
}

absl::StatusOr<KernelDescription> ParseKernelDescription(std::string_view json) {
  ASSIGN_OR_RETURN(const JsonTree tree, ParseStrictJson(json, kMaxDepth));
  if (!tree.is_object()) return InvalidArgument("the description is no JSON object");
  KernelDescription description;
  absl::Status status;
  ObjectReader reader(tree, "", &status);
  FromJson(reader.Child("problem"), &description.problem);
  FromJson(reader.Child("device"), &description.device);
  if (reader.Has("family")) {
    reader.Read("family", &description.family);
  } else {
    ReadRoles(reader, description);
  }
  reader.Finish();
  RETURN_IF_ERROR(status);
  RETURN_IF_ERROR(WithContext(description.problem.Validate(), "problem"));
  return description;
}

}  // namespace mmtune
