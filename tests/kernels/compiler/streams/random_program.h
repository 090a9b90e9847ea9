// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random host functions with asynchronous device operations, and what they compute.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/kernels/compiler/streams/reordering_device.h"

namespace mmtune {

/// The gpu.module @kernels of the random programs, and the same kernels for a ReorderingDevice.
extern const char kTestKernelsText[];
std::map<std::string, TestKernel> TestKernels();

/// A function with kHostBuffers arguments of type memref<8xi32>. It is valid: tokens, synchronous operations and host
/// waits order every two operations of which one writes what the other uses, and no more than a dice decides.
class RandomProgram {
 public:
  static constexpr int kHostBuffers = 3, kDeviceBuffers = 4;
  using Buffers = std::vector<std::vector<int32_t>>;

  struct Options {
    std::string name;
    int operations = 20;
    bool asynchronous = true;  ///< False: no tokens at all.
    bool regions = true;       ///< scf.for and scf.if, with tokens that cross them.
  };
  RandomProgram(uint32_t seed, Options options);

  const std::string& text() const { return text_; }
  /// Changes the arguments as the function does, in program order.
  void RunReference(Buffers* arguments) const;

 private:
  using Step = std::function<void(Buffers&)>;
  using Steps = std::vector<Step>;
  using Ids = std::set<int>;

  struct Access {
    int buffer;
    bool writes;
  };
  /// A device operation, or everything in a region, which accesses all buffers.
  struct Operation {
    std::vector<Access> accesses;
    bool everything = false;
  };
  struct Token {
    std::string name;
    Ids covers;  ///< Operations that are done when it is.
  };
  /// The values that the code at one place can use.
  struct Scope {
    Ids visible;  ///< Operations that may still be in flight, if not known.
    Ids known;    ///< The host knows that they are done.
    std::vector<Token> tokens;
    Steps steps;
    int depth = 0;
  };

  int Dice(int sides) { return static_cast<int>(random_() % sides); }
  void Line(const Scope& scope, const std::string& line);
  std::string NewToken() { return "%t" + std::to_string(next_token_++); }
  int NewOperation(Operation operation);
  static std::string Names(const std::vector<Token>& tokens);
  static Ids Covered(const std::vector<Token>& tokens);

  void AddStatement(Scope* scope);
  void AddDeviceOperation(Scope* scope, const std::string& mnemonic, const std::string& rest, const std::string& result,
                          std::vector<Access> accesses, Step step);
  void AddTransferOrLaunch(Scope* scope);
  void AddHostStatement(Scope* scope);
  void AddJoin(Scope* scope);
  void AddLoop(Scope* scope);
  void AddBranch(Scope* scope);
  void FinishFunction(Scope* scope);

  /// Operations that must be done before one with these accesses.
  Ids Conflicts(const Scope& scope, const std::vector<Access>& accesses) const;
  /// Tokens of the scope that cover what of `ids` is not in `covered`.
  std::vector<Token> Cover(const Scope& scope, const Ids& ids, Ids covered) const;
  void WaitOnHost(Scope* scope, const Ids& ids);
  /// A token for all that may be in flight.
  Token JoinAll(Scope* scope);

  std::mt19937 random_;
  Options options_;
  std::string text_;
  std::vector<Operation> operations_;
  Steps steps_;
  int next_token_ = 0, next_value_ = 0, budget_ = 0;
};

}  // namespace mmtune
