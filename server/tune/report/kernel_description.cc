// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/report/kernel_description.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "kernels/families/common/family_base.h"
#include "kernels/perf_model/schedule_geometry.h"
#include "kernels/perf_model/time_model.h"
#include "proto/base/json_tree.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/json/json_reader.h"
#include "proto/types/schedule.h"

namespace mmtune {
namespace {

constexpr int64_t kLanes = 32;
constexpr int64_t kLineFloats = 32;

/// Rounds a row up to whole vectors.
int64_t WholeVectors(int64_t floats, int64_t vector) { return CeilDiv(floats, vector) * vector; }

LaneOffsets ReadOffsets(const BlockOperand& operand) {
  LaneOffsets offsets = operand.parts;
  for (int64_t& offset : offsets) offset *= WholeVectors(operand.per_thread, operand.vector);
  return offsets;
}

/// Returns the number of lines that the parts of a warp's request to global memory touch.
int64_t LineRequests(const LaneOffsets& offsets, int64_t vector) {
  int64_t requests = 0;
  for (auto first = offsets.begin(); first != offsets.end(); first += kLanes / vector) {
    std::array<int64_t, kLanes> lines{};
    const auto end = std::transform(first, first + kLanes / vector, lines.begin(),
                                    [](int64_t offset) { return offset / kLineFloats; });
    std::sort(lines.begin(), end);
    requests += std::unique(lines.begin(), end) - lines.begin();
  }
  return requests;
}

/// Returns the wavefronts of a warp that stores one vector of each lane's piece.
double CopyWavefronts(const BlockOperand& operand, int64_t block_k, int64_t threads) {
  if (operand.copy_threads == 0) return static_cast<double>(operand.vector);
  const int64_t piece = WholeVectors(CeilDiv(operand.width, operand.copy_threads), operand.vector);
  // Each thread copies consecutive rows.
  const int64_t rows = CeilDiv(block_k, std::max<int64_t>(threads / operand.copy_threads, 1));
  const int64_t row_floats = WholeVectors(operand.width, operand.vector);
  LaneOffsets offsets{};
  for (int64_t lane = 0; lane < kLanes; ++lane) {
    const int64_t row = lane / operand.copy_threads * rows;
    offsets[static_cast<size_t>(lane)] = row * row_floats + lane % operand.copy_threads * piece;
  }
  return static_cast<double>(SharedWavefronts(offsets, operand.vector, /*merges=*/false));
}

constexpr int kMaxNoteDepth = 4;
/// Registers of a thread besides accumulators and operands: addresses, counters.
constexpr int64_t kOtherRegisters = 24;
/// Clocks of a block at a barrier, as for our kernels that copy without cp.async.
constexpr double kBarrierClocks = 200;
/// Clocks from a load to its use that hits L1: 32 on T4 (Jia et al., arXiv 1903.07486).
constexpr double kL1Latency = 32;
constexpr int64_t kWidestVector = 4;

struct NamedRole {
  const char* name;
  KernelRole KernelDescription::* role;
  bool optional = false;
  int64_t least = 1;
};
constexpr NamedRole kRoles[] = {
    {"block_m", &KernelDescription::block_m},
    {"block_n", &KernelDescription::block_n},
    {"block_k", &KernelDescription::block_k},
    {"threads_m", &KernelDescription::threads_m},
    {"threads_n", &KernelDescription::threads_n},
    {"vector_a", &KernelDescription::vector_a},
    {"vector_b", &KernelDescription::vector_b},
    {"shared_a", &KernelDescription::shared_a, /*optional=*/false, /*least=*/0},
    {"shared_b", &KernelDescription::shared_b, /*optional=*/false, /*least=*/0},
    {"copy_threads_a", &KernelDescription::copy_threads_a, /*optional=*/true, /*least=*/0},
    {"copy_threads_b", &KernelDescription::copy_threads_b, /*optional=*/true, /*least=*/0},
};

std::string TooSmall(const NamedRole& role, int64_t value) {
  return absl::StrCat("makes ", value, " the ", role.name, ", which is ", role.least, " or more");
}

int64_t ValueOf(const KernelRole& role, const Schedule& schedule) {
  const auto* constant = std::get_if<int64_t>(&role);
  return constant != nullptr ? *constant : schedule.Get(std::get<std::string>(role));
}

/// Clamps a value to at least 1, and so that three of them can be multiplied without overflow.
int64_t RoleOf(const KernelRole& role, const Schedule& schedule) {
  return std::clamp<int64_t>(ValueOf(role, schedule), 1, int64_t{1} << 20);
}

double StagedIn(const KernelRole& role, const Schedule& schedule) { return ValueOf(role, schedule) != 0 ? 1 : 0; }

void ReadRoles(ObjectReader& reader, KernelDescription& description) {
  if (std::optional<JsonValue> only_with = reader.Find("only_with")) {
    for (JsonValue member : *only_with) {
      if (!member.is_string())
        reader.Fail("only_with", "must map names of parameters to names of parameters");
      else
        description.only_with.emplace(member.name(), member.Text());
    }
  }
  if (std::optional<JsonValue> roles = reader.Find("roles")) {
    for (const NamedRole& role : kRoles) {
      if (!role.optional && !roles->Find(role.name))
        reader.Fail("roles",
                    absl::StrCat("has no ", role.name, ": name the parameter with this role, or give a number"));
    }
    for (JsonValue member : *roles) {
      const auto* role = std::find_if(std::begin(kRoles), std::end(kRoles),
                                      [&](const NamedRole& named) { return named.name == member.name(); });
      if (role == std::end(kRoles)) {
        reader.Fail("roles", absl::StrCat("has '", PlainText(member.name()), "', which is not a role"));
      } else if (member.is_string()) {
        description.*(role->role) = std::string(member.Text());
      } else if (std::optional<int64_t> constant = member.Int()) {
        if (*constant < role->least) reader.Fail("roles", TooSmall(*role, *constant));
        description.*(role->role) = *constant;
      } else {
        reader.Fail("roles", absl::StrCat("gives '", PlainText(member.name()),
                                          "' a value that is neither a parameter's name nor a whole number"));
      }
    }
  }
}

}  // namespace

void AddOperand(const BlockOperand& operand, const ScheduleGeometry& geometry, LoopCost& cost) {
  const auto steps = static_cast<double>(geometry.tile.k), warps = static_cast<double>(geometry.warps());
  const auto vector = static_cast<double>(operand.vector);
  const double loads = steps * static_cast<double>(operand.per_thread) / vector;
  const LaneOffsets offsets = ReadOffsets(operand);
  const int64_t wavefronts = operand.shared ? SharedWavefronts(offsets, operand.vector, /*merges=*/true)
                                            : LineRequests(offsets, operand.vector);
  cost.instructions += loads;
  cost.wavefronts += warps * loads * static_cast<double>(wavefronts);
  cost.bytes += 4 * steps * static_cast<double>(operand.width);
  if (!operand.shared) return;
  const double stores = steps * static_cast<double>(operand.width) / vector / static_cast<double>(kLanes);
  cost.instructions += 2 * stores / warps;
  cost.wavefronts += stores * CopyWavefronts(operand, geometry.tile.k, geometry.threads);
}

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
  LoopCost& loop = geometry.loop;
  loop.steps = static_cast<double>(CeilDiv(problem.k, geometry.tile.k));
  loop.multiplyAdds = 32 * block_steps * static_cast<double>(tile_m * tile_n);
  loop.instructions = loop.multiplyAdds / 32;
  LaneOffsets parts_m{}, parts_n{};
  for (size_t lane = 0; lane < size_t{kLanes}; ++lane) {
    parts_m[lane] = static_cast<int64_t>(lane) % across_m;
    parts_n[lane] = static_cast<int64_t>(lane) / across_m % across_n;  // Lanes that a small block lacks add nothing.
  }
  auto vector = [&](const KernelRole& role, int64_t per_thread) {
    const int64_t most = std::clamp<int64_t>(of(role), 1, std::min(kWidestVector, per_thread));
    return most >= 4 ? 4 : most >= 2 ? 2 : 1;
  };
  auto copying = [&](const KernelRole& role) {
    return std::clamp<int64_t>(ValueOf(role, schedule), 0, geometry.threads);
  };
  AddOperand({geometry.tile.m, tile_m, parts_m, vector(vector_a, tile_m), stages_a, copying(copy_threads_a)}, geometry,
             loop);
  AddOperand({geometry.tile.n, tile_n, parts_n, vector(vector_b, tile_n), stages_b, copying(copy_threads_b)}, geometry,
             loop);
  // Spilled values are loaded and stored for each k.
  const int64_t kept = device.registers_per_multiprocessor > 0 ? RegisterLimit(device, geometry.threads, /*blocks=*/1)
                                                               : kMaxThreadRegisters;
  const auto spilled = static_cast<double>(std::max<int64_t>(geometry.registers - kept, 0));
  loop.instructions += 2 * block_steps * spilled;
  loop.wavefronts += 2 * block_steps * spilled * static_cast<double>(geometry.warps());
  // Staged tiles are loaded at once. For an operand in global memory, the first warp that touches a line waits for L2,
  // and the other warps of the same part wait for L1, at each k.
  loop.latency = kGlobalLatency;
  const auto warps = static_cast<double>(geometry.warps());
  auto wait = [&](bool staged, int64_t across, int64_t of_warp) {
    const double sharing = std::max(1.0, warps * static_cast<double>(of_warp) / static_cast<double>(across));
    return staged ? 0 : kL1Latency + (kL2Latency - kL1Latency) / sharing;
  };
  const int64_t warp_m = std::min<int64_t>(across_m, kLanes),
                warp_n = std::clamp<int64_t>(kLanes / warp_m, 1, across_n);
  loop.exposed = (stages_a || stages_b ? 2 * kBarrierClocks : 0) +
                 block_steps * std::max(wait(stages_a, across_m, warp_m), wait(stages_b, across_n, warp_n));
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
                      // Floats per FMA from shared memory and from L1, then copies of a thread.
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
        absl::StrCat("the landscape has no parameter '", PlainText(name), "'; correct the name, or remove it"));
  };
  for (const NamedRole& role : kRoles) {
    const auto* name = std::get_if<std::string>(&(this->*role.role));
    if (name == nullptr) continue;
    RETURN_IF_ERROR(check(*name));
    if (const int64_t value = schedule.Get(*name); value < role.least) {
      return InvalidArgument(absl::StrCat("the description ", TooSmall(role, value), ": ", PlainText(*name), " of ",
                                          PlainText(schedule.Text())));
    }
  }
  for (const auto& [parameter, switched_by] : only_with) {
    RETURN_IF_ERROR(check(parameter));
    RETURN_IF_ERROR(check(switched_by));
  }
  return absl::OkStatus();
}

absl::StatusOr<KernelDescription> ParseKernelDescription(std::string_view json) {
  ASSIGN_OR_RETURN(const JsonTree tree, ParseStrictJson(json, kMaxNoteDepth));
  if (!tree.is_object()) return InvalidArgument("the description is no JSON object");
  KernelDescription description;
  absl::Status status;
  ObjectReader reader(tree, "", &status);
  FromJson(reader.Child("problem"), &description.problem);
  FromJson(reader.Child("device"), &description.device);
  if (reader.Has("family")) {
    reader.Read("family", &description.family);
    if (description.family.empty()) reader.Fail("family", "is empty");
  } else {
    ReadRoles(reader, description);
  }
  reader.Finish();
  RETURN_IF_ERROR(status);
  RETURN_IF_ERROR(WithContext(description.problem.Validate(), "problem"));
  return description;
}

}  // namespace mmtune
