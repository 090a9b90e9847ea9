// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/compiler/streams/random_program.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"

namespace mmtune {
namespace {

constexpr char kType[] = "memref<8xi32>";
constexpr int kElements = TestKernel::kElements;

std::string BufferName(int buffer) {
  return buffer < RandomProgram::kHostBuffers ? absl::StrCat("%h", buffer)
                                              : absl::StrCat("%d", buffer - RandomProgram::kHostBuffers);
}

// Unsigned: it must not matter that numbers overflow.
void Combine(int32_t* dst, const int32_t* a, const int32_t* b) {
  for (int i = 0; i < kElements; ++i) {
    dst[i] = static_cast<int32_t>(3u * static_cast<uint32_t>(a[i]) + 5u * static_cast<uint32_t>(b[i]));
  }
}

void Accumulate(int32_t* dst, const int32_t* a) {
  for (int i = 0; i < kElements; ++i) {
    dst[i] = static_cast<int32_t>(7u * static_cast<uint32_t>(dst[i]) + static_cast<uint32_t>(a[i]));
  }
}

}  // namespace

const char kTestKernelsText[] = R"(
  gpu.module @kernels {
    gpu.func @combine(%dst: memref<8xi32>, %a: memref<8xi32>, %b: memref<8xi32>) kernel {
      %i = gpu.thread_id x
      %c3 = arith.constant 3 : i32
      %c5 = arith.constant 5 : i32
      %x = memref.load %a[%i] : memref<8xi32>
      %y = memref.load %b[%i] : memref<8xi32>
      %p = arith.muli %x, %c3 : i32
      %q = arith.muli %y, %c5 : i32
      %r = arith.addi %p, %q : i32
      memref.store %r, %dst[%i] : memref<8xi32>
      gpu.return
    }
    gpu.func @accumulate(%dst: memref<8xi32>, %a: memref<8xi32>) kernel {
      %i = gpu.thread_id x
      %c7 = arith.constant 7 : i32
      %x = memref.load %dst[%i] : memref<8xi32>
      %y = memref.load %a[%i] : memref<8xi32>
      %p = arith.muli %x, %c7 : i32
      %r = arith.addi %p, %y : i32
      memref.store %r, %dst[%i] : memref<8xi32>
      gpu.return
    }
  }
)";

std::map<std::string, TestKernel> TestKernels() {
  return {{"combine", {3, [](const std::vector<int32_t*>& b) { Combine(b[0], b[1], b[2]); }}},
          {"accumulate", {2, [](const std::vector<int32_t*>& b) { Accumulate(b[0], b[1]); }}}};
}

RandomProgram::RandomProgram(uint32_t seed, Options options)
    : random_(seed), options_(std::move(options)), budget_(options_.operations) {
  Scope scope;
  Line(scope,
       absl::StrCat("func.func @", options_.name, "(%h0: memref<8xi32>, %h1: memref<8xi32>, %h2: memref<8xi32>) {"));
  for (int i = 0; i < kElements; ++i) Line(scope, absl::StrCat("%c", i, " = arith.constant ", i, " : index"));
  Line(scope, absl::StrCat("%threads = arith.constant ", kElements, " : index"));
  Line(scope, "%true = arith.constant true");
  Line(scope, "%false = arith.constant false");
  Line(scope, "%fill = arith.constant 77 : i32");
  for (int device = kHostBuffers; device < kHostBuffers + kDeviceBuffers; ++device) {
    AddDeviceOperation(&scope, "gpu.alloc", absl::StrCat("() : ", kType), BufferName(device), {{device, true}}, {});
    // What it holds is anything: give it something known.
    const int host = Dice(kHostBuffers);
    AddDeviceOperation(&scope, "gpu.memcpy",
                       absl::StrCat(BufferName(device), ", ", BufferName(host), " : ", kType, ", ", kType), "",
                       {{host, false}, {device, true}}, [=](Buffers& b) { b[device] = b[host]; });
  }
  while (budget_ > 0) AddStatement(&scope);
  FinishFunction(&scope);
  steps_ = std::move(scope.steps);
}

void RandomProgram::RunReference(Buffers* arguments) const {
  arguments->resize(kHostBuffers + kDeviceBuffers, std::vector<int32_t>(kElements));
  for (const Step& step : steps_) step(*arguments);
  arguments->resize(kHostBuffers);
}

void RandomProgram::Line(const Scope& scope, const std::string& line) {
  absl::StrAppend(&text_, std::string(2 * scope.depth + 2, ' '), line, "\n");
}

int RandomProgram::NewOperation(Operation operation) {
  operations_.push_back(std::move(operation));
  return static_cast<int>(operations_.size()) - 1;
}

std::string RandomProgram::Names(const std::vector<Token>& tokens) {
  std::string names;
  for (const Token& token : tokens) absl::StrAppend(&names, names.empty() ? " [" : ", ", token.name);
  return names.empty() ? "" : names + "]";
}

RandomProgram::Ids RandomProgram::Covered(const std::vector<Token>& tokens) {
  Ids covered;
  for (const Token& token : tokens) covered.insert(token.covers.begin(), token.covers.end());
  return covered;
}

RandomProgram::Ids RandomProgram::Conflicts(const Scope& scope, const std::vector<Access>& accesses) const {
  Ids conflicts;
  for (int id : scope.visible) {
    bool conflict = operations_[id].everything;
    for (const Access& earlier : operations_[id].accesses) {
      for (const Access& access : accesses) {
        conflict |= earlier.buffer == access.buffer && (earlier.writes || access.writes);
      }
    }
    if (conflict) conflicts.insert(id);
  }
  return conflicts;
}

std::vector<RandomProgram::Token> RandomProgram::Cover(const Scope& scope, const Ids& ids, Ids covered) const {
  std::vector<Token> cover;
  for (int id : ids) {
    if (covered.count(id)) continue;
    auto token = std::find_if(scope.tokens.rbegin(), scope.tokens.rend(),
                              [&](const Token& each) { return each.covers.count(id) != 0; });
    cover.push_back(*token);
    covered.insert(token->covers.begin(), token->covers.end());
  }
  return cover;
}

void RandomProgram::WaitOnHost(Scope* scope, const Ids& ids) {
  const std::vector<Token> waited = Cover(*scope, ids, scope->known);
  if (waited.empty()) return;
  Line(*scope, absl::StrCat("gpu.wait", Names(waited)));
  const Ids known = Covered(waited);
  scope->known.insert(known.begin(), known.end());
}

RandomProgram::Token RandomProgram::JoinAll(Scope* scope) {
  const std::vector<Token> all = Cover(*scope, scope->visible, scope->known);
  Token join{NewToken(), Covered(all)};
  Line(*scope, absl::StrCat(join.name, " = gpu.wait async", Names(all)));
  scope->tokens.push_back(join);
  return join;
}

void RandomProgram::AddStatement(Scope* scope) {
  --budget_;
  const int dice = Dice(20);
  const bool nests = options_.regions && scope->depth < 2;
  if (dice < 2) {
    AddHostStatement(scope);
  } else if (dice < 4 && options_.asynchronous) {
    AddJoin(scope);
  } else if (dice == 4 && nests) {
    AddLoop(scope);
  } else if (dice == 5 && nests) {
    AddBranch(scope);
  } else {
    AddTransferOrLaunch(scope);
  }
}

void RandomProgram::AddTransferOrLaunch(Scope* scope) {
  auto device = [&] { return kHostBuffers + Dice(kDeviceBuffers); };
  const int dst = device(), a = device(), b = device(), host = Dice(kHostBuffers);
  auto copy = [&](int to, int from) {
    AddDeviceOperation(scope, "gpu.memcpy",
                       absl::StrCat(BufferName(to), ", ", BufferName(from), " : ", kType, ", ", kType), "",
                       {{from, false}, {to, true}}, [=](Buffers& m) { m[to] = m[from]; });
  };
  auto launch = [&](const char* kernel, const std::vector<int>& arguments, std::vector<Access> accesses, Step step) {
    std::string list;
    for (int buffer : arguments) {
      absl::StrAppend(&list, list.empty() ? "" : ", ", BufferName(buffer), " : ", kType);
    }
    AddDeviceOperation(scope, "gpu.launch_func",
                       absl::StrCat("@kernels::@", kernel,
                                    " blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(", list, ")"),
                       "", std::move(accesses), std::move(step));
  };
  switch (Dice(7)) {
    case 0:
      return copy(dst, host);
    case 1:
      return copy(host, a);
    case 2:
      if (dst != a) return copy(dst, a);
      [[fallthrough]];
    case 3:
      return AddDeviceOperation(scope, "gpu.memset", absl::StrCat(BufferName(dst), ", %fill : ", kType, ", i32"), "",
                                {{dst, true}}, [=](Buffers& m) { m[dst].assign(kElements, 77); });
    case 4:
    case 5:
      return launch("combine", {dst, a, b}, {{dst, true}, {a, false}, {b, false}},
                    [=](Buffers& m) { Combine(m[dst].data(), m[a].data(), m[b].data()); });
    default:
      return launch("accumulate", {dst, a}, {{dst, true}, {a, false}},
                    [=](Buffers& m) { Accumulate(m[dst].data(), m[a].data()); });
  }
}

void RandomProgram::AddDeviceOperation(Scope* scope, const std::string& mnemonic, const std::string& rest,
                                       const std::string& result, std::vector<Access> accesses, Step step) {
  const Ids conflicts = Conflicts(*scope, accesses);
  const bool async = options_.asynchronous && Dice(4) != 0;
  std::vector<Token> dependencies;
  // A few that are not needed.
  for (int i = Dice(3); i > 0 && !scope->tokens.empty(); --i) {
    dependencies.push_back(scope->tokens[Dice(static_cast<int>(scope->tokens.size()))]);
  }
  if (Dice(8) == 0) WaitOnHost(scope, conflicts);
  Ids covered = Covered(dependencies);
  covered.insert(scope->known.begin(), scope->known.end());
  const std::vector<Token> needed = Cover(*scope, conflicts, covered);
  dependencies.insert(dependencies.end(), needed.begin(), needed.end());

  const int id = NewOperation({std::move(accesses)});
  Ids done = Covered(dependencies);
  done.insert(id);
  std::string results = result;
  if (async) {
    scope->tokens.push_back({NewToken(), done});
    absl::StrAppend(&results, results.empty() ? "" : ", ", scope->tokens.back().name);
  } else {
    scope->known.insert(done.begin(), done.end());
  }
  scope->visible.insert(id);
  Line(*scope, absl::StrCat(results, results.empty() ? "" : " = ", mnemonic, async ? " async" : "", Names(dependencies),
                            " ", rest));
  if (step) scope->steps.push_back(std::move(step));
}

void RandomProgram::AddHostStatement(Scope* scope) {
  const int to = Dice(kHostBuffers), from = Dice(kHostBuffers), i = Dice(kElements), j = Dice(kElements);
  WaitOnHost(scope, Conflicts(*scope, {{to, true}, {from, false}}));
  const int value = next_value_++;
  Line(*scope, absl::StrCat("%v", value, " = memref.load ", BufferName(from), "[%c", i, "] : ", kType));
  Line(*scope, absl::StrCat("%w", value, " = arith.addi %v", value, ", %fill : i32"));
  Line(*scope, absl::StrCat("memref.store %w", value, ", ", BufferName(to), "[%c", j, "] : ", kType));
  scope->steps.emplace_back(
      [=](Buffers& m) { m[to][j] = static_cast<int32_t>(static_cast<uint32_t>(m[from][i]) + 77u); });
}

void RandomProgram::AddJoin(Scope* scope) {
  std::vector<Token> joined;
  for (int i = Dice(4); i > 0 && !scope->tokens.empty(); --i) {
    joined.push_back(scope->tokens[Dice(static_cast<int>(scope->tokens.size()))]);
  }
  const Ids covered = Covered(joined);
  if (Dice(3) == 0) {
    Line(*scope, absl::StrCat("gpu.wait", Names(joined)));
    scope->known.insert(covered.begin(), covered.end());
    return;
  }
  scope->tokens.push_back({NewToken(), covered});
  Line(*scope, absl::StrCat(scope->tokens.back().name, " = gpu.wait async", Names(joined)));
}

/// The token that goes round stands for what was before the loop and for the turn before.
void RandomProgram::AddLoop(Scope* scope) {
  const int turns = Dice(4), statements = 1 + Dice(5);
  Scope body;
  body.depth = scope->depth + 1;
  body.known = scope->known;
  std::string result;
  Ids covers;
  const int before = NewOperation({{}, true});
  if (options_.asynchronous) {
    const Token initial = JoinAll(scope);
    result = NewToken();
    Line(*scope, absl::StrCat(result, " = scf.for %i", result.substr(1), " = %c0 to %c", turns, " step %c1 iter_args(",
                              result, "_in = ", initial.name, ") -> (!gpu.async.token) {"));
    covers = initial.covers;
    body.visible.insert(before);
    Ids turn = covers;
    turn.insert(before);
    body.tokens.push_back({result + "_in", turn});
  } else {
    Line(*scope, absl::StrCat("scf.for %i", next_value_++, " = %c0 to %c", turns, " step %c1 {"));
  }
  for (int i = 0; i < statements; ++i) AddStatement(&body);
  if (options_.asynchronous) Line(body, absl::StrCat("scf.yield ", JoinAll(&body).name, " : !gpu.async.token"));
  Line(*scope, "}");
  if (options_.asynchronous) {
    const int all = NewOperation({{}, true});
    covers.insert(all);
    scope->visible.insert(all);
    scope->tokens.push_back({result, covers});
  }
  scope->steps.emplace_back([=, steps = std::move(body.steps)](Buffers& m) {
    for (int turn = 0; turn < turns; ++turn) {
      for (const Step& step : steps) step(m);
    }
  });
}

void RandomProgram::AddBranch(Scope* scope) {
  const bool taken = Dice(2) == 0, yields = options_.asynchronous && Dice(3) != 0;
  const std::string result = yields ? NewToken() : "";
  Line(*scope, absl::StrCat(yields ? result + " = " : "", "scf.if ", taken ? "%true" : "%false",
                            yields ? " -> (!gpu.async.token) {" : " {"));
  for (const bool side : {true, false}) {
    Scope branch = *scope;
    ++branch.depth;
    branch.steps.clear();
    for (int i = Dice(4); i > 0; --i) AddStatement(&branch);
    if (yields) {
      Line(branch, absl::StrCat("scf.yield ", JoinAll(&branch).name, " : !gpu.async.token"));
    } else {
      WaitOnHost(&branch, branch.visible);
    }
    if (side) Line(*scope, "} else {");
    if (side == taken) scope->steps.insert(scope->steps.end(), branch.steps.begin(), branch.steps.end());
  }
  Line(*scope, "}");
  if (!yields) return;
  const int all = NewOperation({{}, true});
  scope->visible.insert(all);
  scope->tokens.push_back({result, {all}});
}

/// Shows what the device has, in a random order of operations, and frees it.
void RandomProgram::FinishFunction(Scope* scope) {
  for (int host = 0; host < kHostBuffers; ++host) {
    const int device = kHostBuffers + host;
    AddDeviceOperation(
        scope, "gpu.launch_func",
        absl::StrCat("@kernels::@accumulate blocks in (%c1, %c1, %c1) threads in (%threads, %c1, %c1) args(",
                     BufferName(device), " : ", kType, ", ", BufferName(device + 1), " : ", kType, ")"),
        "", {{device, true}, {device + 1, false}},
        [=](Buffers& m) { Accumulate(m[device].data(), m[device + 1].data()); });
    if (Dice(2) == 0) continue;
    AddDeviceOperation(scope, "gpu.memcpy",
                       absl::StrCat(BufferName(host), ", ", BufferName(device), " : ", kType, ", ", kType), "",
                       {{device, false}, {host, true}}, [=](Buffers& m) { m[host] = m[device]; });
  }
  for (int device = kHostBuffers; device < kHostBuffers + kDeviceBuffers; ++device) {
    AddDeviceOperation(scope, "gpu.dealloc", absl::StrCat(BufferName(device), " : ", kType), "", {{device, true}}, {});
  }
  WaitOnHost(scope, scope->visible);
  Line(*scope, "return");
  Line(*scope, "}");
}

}  // namespace mmtune
