// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/pipelines/compiler_context.h"

#include <gtest/gtest.h>

#include <optional>
#include <thread>
#include <vector>

#include "mlir/IR/Dialect.h"
#include "mlir/IR/Location.h"
#include "mlir/Support/TypeID.h"

namespace mmtune {
namespace {

/// Counts how often it is loaded, which is once for each MLIR context.
class CountedDialect : public mlir::Dialect {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountedDialect)

  explicit CountedDialect(mlir::MLIRContext* context)
      : Dialect(getDialectNamespace(), context, mlir::TypeID::get<CountedDialect>()) {
    ++loads;
  }
  static llvm::StringRef getDialectNamespace() { return "counted"; }

  static inline int loads = 0;
};

TEST(CompilerContextTest, SixteenCompilationsShareAContext) {
  mlir::DialectRegistry registry = createCompilerRegistry();
  registry.insert<CountedDialect>();
  std::vector<int> loads;
  std::thread([&] {  // Which has no context yet.
    for (int compilation = 0; compilation < 33; ++compilation) {
      const CompilerContext context(registry);
      loads.push_back(CountedDialect::loads);
    }
  })
      .join();
  std::vector<int> expected(16, 1);
  expected.resize(32, 2);
  expected.push_back(3);
  EXPECT_EQ(loads, expected);
}

TEST(CompilerContextTest, HasItsOwnContextWhileAnotherCompilationRuns) {
  const mlir::DialectRegistry registry = createCompilerRegistry();
  CompilerContext outer(registry), inner(registry);
  EXPECT_NE(&outer.mlir(), &inner.mlir());
}

TEST(CompilerContextTest, ForgetsTheErrorsOfEarlierCompilations) {
  const mlir::DialectRegistry registry = createCompilerRegistry();
  std::optional<CompilerContext> first(std::in_place, registry);
  mlir::emitError(mlir::UnknownLoc::get(&first->mlir()), "no such tile");
  EXPECT_EQ(first->failure("emitting").message(), "emitting: no such tile");
  first.reset();
  EXPECT_EQ(CompilerContext(registry).failure("emitting").message(), "emitting: no diagnostic");
}

}  // namespace
}  // namespace mmtune
