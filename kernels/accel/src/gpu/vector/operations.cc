#include "gpu/vector/operations.h"

#include "gpu/device/queue.h"
#include "gpu/elements.h"
#include "gpu/grid/launch.h"

namespace zka::gpu {
namespace {

template <class F, zka_vector_op op>
struct Apply {
  const F *a, *b;
  F* out;
  uint64_t n;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t i = thread.index();
    if (i >= n) return;
    const F left = a[i], right = b[i];
    if constexpr (op == ZKA_OP_ADD) out[i] = (left + right).canonical();
    if constexpr (op == ZKA_OP_SUB) out[i] = (left - right).canonical();
    if constexpr (op == ZKA_OP_MUL) out[i] = (left * right).canonical();
  }
};

template <class F>
struct ScaleAdd {
  F factor;
  const F *a, *b;  // b may be null
  F* out;
  uint64_t n;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const uint64_t i = thread.index();
    if (i >= n) return;
    const F product = factor * a[i];
    out[i] = (b == nullptr ? product : product + b[i]).canonical();
  }
};

// Each thread begins at its own power and strides by the number of all threads.
template <class F>
struct Powers {
  F start, base, step;
  F* out;
  uint64_t n;

  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    if (thread.index() >= n) return;
    F power = start * base.pow(thread.index());
    ZKA_ROLLED
    for (uint64_t i = thread.index(); i < n; i += thread.count(), power *= step) out[i] = power.canonical();
  }
};
// Powers of one thread: as many products as its first power takes, about.
constexpr uint64_t POWERS_EACH = 32;

class GpuVectors : public VectorOperations {
 public:
  void apply(Queue& queue, zka_field field, zka_vector_op op, const zka_fe* a, const zka_fe* b, zka_fe* out,
             size_t n) override {
    in_field(field, [&]<class F>(std::type_identity<F>) {
      const auto run = [&]<zka_vector_op OP>() {
        launch(on_device(queue), over(n), Apply<F, OP>{of_field<F>(a), of_field<F>(b), of_field<F>(out), n});
      };
      switch (op) {
        case ZKA_OP_ADD: return run.template operator()<ZKA_OP_ADD>();
        case ZKA_OP_SUB: return run.template operator()<ZKA_OP_SUB>();
        case ZKA_OP_MUL: return run.template operator()<ZKA_OP_MUL>();
      }
    });
  }

  void scale_add(Queue& queue, zka_field field, zka_fe factor, const zka_fe* a, const zka_fe* b, zka_fe* out,
                 size_t n) override {
    in_field(field, [&]<class F>(std::type_identity<F>) {
      launch(on_device(queue), over(n),
             ScaleAdd<F>{F::of(factor.l), of_field<F>(a), of_field<F>(b), of_field<F>(out), n});
    });
  }

  void powers(Queue& queue, zka_field field, zka_fe start, zka_fe base, zka_fe* out, size_t n) override {
    const Shape shape = over(n / POWERS_EACH + (n % POWERS_EACH != 0));
    in_field(field, [&]<class F>(std::type_identity<F>) {
      const F ratio = F::of(base.l);
      launch(on_device(queue), shape,
             Powers<F>{F::of(start.l), ratio, ratio.pow(shape.blocks * shape.threads), of_field<F>(out), n});
    });
  }
};

}  // namespace

std::unique_ptr<VectorOperations> vector_operations() { return std::make_unique<GpuVectors>(); }

}  // namespace zka::gpu
