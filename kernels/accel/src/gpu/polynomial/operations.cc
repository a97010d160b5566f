#include "gpu/polynomial/operations.h"

#include <algorithm>
#include <array>
#include <string>

#include "gpu/device/array.h"
#include "gpu/elements.h"
#include "gpu/grid/launch.h"
#include "gpu/polynomial/divide.h"
#include "gpu/polynomial/evaluate.h"
#include "gpu/polynomial/fold.h"

namespace zka::gpu {
namespace {

// Roots by which is divided before their remainders are looked at.
constexpr size_t ROOTS_AT_ONCE = 32;

bool is_zero(const zka_fe& x) { return (x.l[0] | x.l[1] | x.l[2] | x.l[3]) == 0; }

class GpuPolynomials : public PolynomialOperations {
 public:
  explicit GpuPolynomials(Machine& machine) : machine_(machine) {}

  void fold(Queue& queue, zka_field field, std::span<const Coefficients> polys, zka_fe factor,
            std::span<const Coefficients> low, zka_fe* out, size_t n) override {
    DeviceQueue& on = on_device(queue);
    const auto low_on_device = joined(on, low);
    in_field(field, [&]<class F>(std::type_identity<F>) {
      Array<FoldTerm<F>> terms(machine_.memory, polys.size());
      const F* next_low = of_field<F>(low_on_device.data());
      for (size_t i = 0; i < polys.size(); ++i) {
        terms[i] = {of_field<F>(polys[i].data), polys[i].n, next_low, low.empty() ? 0 : low[i].n};
        next_low += terms[i].low_n;
      }
      const auto terms_on_device = uploaded(on, terms.span());
      launch(on, over(n), FoldTerms<F>{terms_on_device.data(), polys.size(), F::of(factor.l), of_field<F>(out), n});
    });
  }

  void divide(Queue& queue, zka_field field, zka_fe* poly, size_t n, std::span<const zka_fe> roots, bool exact,
              zka_fe* remainders) override {
    DeviceQueue& on = on_device(queue);
    const DeviceArray<zka_fe> scratch(on, divide_scratch(n)), left(on, ROOTS_AT_ONCE);
    for (size_t begin = 0; begin < roots.size(); begin += ROOTS_AT_ONCE) {
      const size_t count = std::min(ROOTS_AT_ONCE, roots.size() - begin);
      in_field(field, [&]<class F>(std::type_identity<F>) {
        for (size_t i = 0; i < count; ++i) {
          divide_by_root<F>(on, of_field<F>(poly), n, F::of(roots[begin + i].l), of_field<F>(scratch.data()),
                            of_field<F>(left.data()) + i);
        }
      });
      if (exact) {
        need_zeros(on, left.data(), begin, count, remainders);
      } else if (remainders != nullptr) {
        on.download(remainders + begin, left.data(), count * sizeof(zka_fe));
      }
    }
  }
  Bytes divide_bytes(size_t n) override {
    return {.device = DeviceArray<zka_fe>::bytes(divide_scratch(n)) + DeviceArray<zka_fe>::bytes(ROOTS_AT_ONCE)};
  }

  void evaluate(Queue& queue, zka_field field, std::span<const Coefficients> polys, std::span<const zka_fe> points,
                zka_fe* out) override {
    DeviceQueue& on = on_device(queue);
    in_field(field, [&]<class F>(std::type_identity<F>) {
      const auto squares = squares_of<F>(on, points);
      const DeviceArray<F> values(on, polys.size() * points.size());
      for (size_t begin = 0; begin < polys.size();) {
        PolynomialsAtPoints<F> some{};
        some.squares = squares.data();
        some.npoints = points.size();
        while (some.count < some.MAX && begin + some.count < polys.size()) {
          const Coefficients& next = polys[begin + some.count];
          some.add(of_field<F>(next.data), next.n);
        }
        const DeviceArray<F> pieces(on, some.pieces() * points.size());
        launch(on, evaluate_shape<F>(pieces.size()), EvaluatePieces<F>{some, pieces.data()});
        launch(on, evaluate_shape<F>(some.count * points.size()),
               JoinPieces<F>{some, pieces.data(), values.data() + begin * points.size()});
        begin += some.count;
      }
      on.download(out, values.data(), values.size() * sizeof(F));
    });
  }

 private:
  // All of them, one after the other.
  DeviceArray<zka_fe> joined(DeviceQueue& on, std::span<const Coefficients> low) {
    size_t n = 0;
    for (const Coefficients& each : low) n += each.n;
    Array<zka_fe> all(machine_.memory, n);
    zka_fe* to = all.data();
    for (const Coefficients& each : low) to = std::copy_n(each.data, each.n, to);
    return uploaded(on, all.span());
  }

  template <class F>
  DeviceArray<F> squares_of(DeviceQueue& on, std::span<const zka_fe> points) {
    Array<F> all(machine_.memory, points.size() * SQUARINGS);
    for (size_t i = 0; i < points.size(); ++i) {
      F power = F::of(points[i].l);
      for (size_t k = 0; k < SQUARINGS; ++k, power = power.square()) all[i * SQUARINGS + k] = power;
    }
    return uploaded(on, all.span());
  }

  // Waits. `remainders` may be null.
  static void need_zeros(DeviceQueue& on, const zka_fe* left, size_t first_root, size_t count, zka_fe* remainders) {
    std::array<zka_fe, ROOTS_AT_ONCE> here;
    on.download(here.data(), left, count * sizeof(zka_fe));
    on.sync();
    for (size_t i = 0; i < count; ++i) {
      const size_t root = first_root + i;
      if (remainders != nullptr) remainders[root] = here[i];
      if (!is_zero(here[i])) {
        throw Failure(ZKA_E_REMAINDER, "the division by root " + std::to_string(root) + " leaves a remainder");
      }
    }
  }

  Machine& machine_;
};

}  // namespace

std::unique_ptr<PolynomialOperations> polynomial_operations(Machine& machine) {
  return std::make_unique<GpuPolynomials>(machine);
}

}  // namespace zka::gpu
