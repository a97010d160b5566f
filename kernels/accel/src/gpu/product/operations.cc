#include "gpu/product/operations.h"

#include "gpu/device/array.h"
#include "gpu/elements.h"
#include "gpu/grid/launch.h"
#include "gpu/product/kernels.h"

namespace zka::gpu {
namespace {

class GpuProducts : public ProductOperations {
 public:
  void batch_inverse(Queue& queue, zka_field field, zka_fe* v, size_t n) override {
    in_field(field, [&]<class F>(std::type_identity<F>) {
      launch(on_device(queue), product_shape<F>(n), Invert<F>{of_field<F>(v), of_field<F>(v), n});
    });
  }
  Bytes batch_inverse_bytes(size_t) override { return {}; }

  // Each block for itself; then what comes before each; then that into all of them.
  void grand_product(Queue& queue, zka_field field, const zka_fe* num, const zka_fe* den, zka_fe start, size_t n,
                     zka_fe* z) override {
    DeviceQueue& on = on_device(queue);
    in_field(field, [&]<class F>(std::type_identity<F>) {
      const Shape shape = product_shape<F>(n);
      const DeviceArray<F> totals(on, shape.blocks);
      F* const x = of_field<F>(z + 1);
      on.upload(z, &start, sizeof start);
      launch(on, shape, Invert<F>{of_field<F>(den), x, n});
      launch(on, shape, Accumulate<F>{of_field<F>(num), x, n, totals.data()});
      launch(on, {.threads = PRODUCT_THREADS, .shared_bytes = sizeof(ProductShared<F>)},
             CarryTotals<F>{F::of(start.l), totals.data(), shape.blocks});
      launch(on, over(n), Carry<F>{totals.data(), x, n});
    });
  }
  Bytes grand_product_bytes(size_t n) override {
    return {.device = DeviceArray<zka_fe>::bytes(product_shape<Fr>(n).blocks)};
  }
};

}  // namespace

std::unique_ptr<ProductOperations> product_operations() { return std::make_unique<GpuProducts>(); }

}  // namespace zka::gpu
