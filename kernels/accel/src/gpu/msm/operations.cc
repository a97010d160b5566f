#include "gpu/msm/operations.h"

#include <algorithm>
#include <bit>
#include <span>

#include "ec/curve.h"
#include "gpu/grid/launch.h"
#include "gpu/msm/multiplication.h"
#include "gpu/msm/points.h"

namespace zka::gpu {
namespace {

const DeviceBases& device_bases(const Prepared& bases) { return static_cast<const DeviceBases&>(bases); }

class DeviceMsm : public MsmOperations {
 public:
  explicit DeviceMsm(Device& device) : device_(device) {}

  std::unique_ptr<Prepared> bases(zka_curve curve, const zka_affine* points, size_t n, uint32_t precompute, bool check,
                                  size_t* bad_index) override {
    const Cancel never;
    DeviceQueue queue(device_, never);
    return std::make_unique<DeviceBases>(queue, curve, points, n, precompute, check, bad_index);
  }
  Bytes bases_bytes(zka_curve, size_t n, uint32_t precompute) override {
    return {.device = DeviceBases::bytes(n, precompute)};
  }

  void msm(Queue& queue, const Prepared& prepared, size_t first, const zka_fe* scalars, size_t n, size_t batch,
           zka_jacobian* out) override {
    const DeviceBases& bases = device_bases(prepared);
    if (n == 0 || batch == 0) {
      with_curve(bases.curve(), [&]<class C>(C) {
        std::fill_n(out, batch, std::bit_cast<zka_jacobian>(Jacobian<typename C::Base>::identity()));
      });
      return;
    }
    multiply(on_device(queue), bases, first, plan(bases, n, batch), scalars, n, batch, out);
  }
  Bytes msm_bytes(const Prepared& prepared, size_t n, size_t batch) override {
    if (n == 0 || batch == 0) return {};
    return {.device = plan(device_bases(prepared), n, batch).bytes()};
  }

  void to_affine(Queue& queue, zka_curve curve, const zka_jacobian* points, size_t n, zka_affine* out) override {
    DeviceQueue& on = on_device(queue);
    const auto from = uploaded(on, std::span<const zka_jacobian>(points, n));
    const DeviceArray<zka_affine> to(on, n);
    with_curve(curve, [&]<class C>(C) {
      launch(on, over(n, Normalise<C>::THREADS_MAX),
             Normalise<C>{reinterpret_cast<const Jacobian<typename C::Base>*>(from.data()), n,
                          reinterpret_cast<typename C::Point*>(to.data())});
    });
    on.download(out, to.data(), n * sizeof(zka_affine));
  }

 private:
  // Within what the device has left now.
  MsmPlan plan(const DeviceBases& bases, size_t n, size_t batch) const {
    return plan_msm(bases.split(), n, batch, device_.bytes_left());
  }

  Device& device_;
};

}  // namespace

std::unique_ptr<MsmOperations> msm_operations(Device& device) { return std::make_unique<DeviceMsm>(device); }

}  // namespace zka::gpu
