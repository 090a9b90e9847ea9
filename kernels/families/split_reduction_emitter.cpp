#include "kernels/families/split_reduction_emitter.h"

#include "kernels/families/simt_f32_family.h"

using mlir::Value;

namespace mmtune {

void emitSplitReductionKernel(KernelBuilder &builder, int64_t splits, int64_t elements) {
  using Values = KernelBuilder::Values;
  constexpr int64_t threads = SimtF32Family::kReductionThreads;
  KernelSignature signature;
  signature.name = SimtF32Family::kReductionKernel;
  signature.buffers = {BufferUse::kRead, BufferUse::kWrite};
  signature.threads[0] = threads;
  Values buffers = builder.beginKernel(signature);

  int64_t width = vectorWidth(elements), pieces = elements / width;
  Value piece = builder.add(builder.mul(builder.wide(builder.blockX()), threads),
                            builder.wide(builder.threadX()));
  Value within = pieces % threads == 0 ? Value() : builder.less(piece, pieces);
  builder.when(within, [&] {
    Value first = builder.mul(piece, width);
    Value source = builder.offset(buffers[0], first);
    Values sum =
        builder.loop(builder.constant(splits - 1), 1, {builder.load(source, width), source},
                     [&](Value, Values in) {
                       Value next = builder.offset(in[1], elements);
                       return Values{builder.addFloats(in[0], builder.load(next, width)), next};
                     });
    builder.store(sum[0], builder.offset(buffers[1], first));
  });
  builder.finishKernel();
}

} // namespace mmtune
