#include "cpu/polynomial/operations.h"

#include <algorithm>
#include <string>

#include "cpu/chunks.h"
#include "cpu/polynomial/divide_job.h"
#include "cpu/polynomial/loops.h"

namespace zka::cpu {
namespace {

// Coefficients of one polynomial that are evaluated at a time.
constexpr size_t PIECE = size_t{1} << 14;

class CpuPolynomials : public PolynomialOperations {
 public:
  explicit CpuPolynomials(Machine& machine) : machine_(machine) {}

  void fold(Queue& queue, zka_field field, std::span<const Coefficients> polys, zka_fe factor,
            std::span<const Coefficients> low, zka_fe* out, size_t n) override {
    const Job job = machine_.job(queue);
    in_chunks(job, n, [&](size_t begin, size_t count) {
      ZKA_BY_ISA(job.isa, poly_fold(field, polys, factor, low, out, begin, begin + count));
    });
  }

  void divide(Queue& queue, zka_field field, zka_fe* poly, size_t n, std::span<const zka_fe> roots, bool exact,
              zka_fe* remainders) override {
    const Job job = machine_.job(queue);
    const DivisionPlan plan = plan_division(job.isa, job.pool.threads(), n);
    Array<zka_fe> carries(job.memory, plan.pieces());
    for (size_t i = 0; i < roots.size(); ++i) {
      job.cancel.check();
      const zka_fe left = divide_by_root(job, plan, field, poly, n, roots[i], carries.data());
      if (remainders != nullptr) remainders[i] = left;
      if (exact && (left.l[0] | left.l[1] | left.l[2] | left.l[3]) != 0) {
        throw Failure(ZKA_E_REMAINDER, "the division by root " + std::to_string(i) + " leaves a remainder");
      }
    }
  }

  Bytes divide_bytes(size_t n) override { return {plan_division(machine_.isa, machine_.pool.threads(), n).bytes(), 0}; }

  void evaluate(Queue& queue, zka_field field, std::span<const Coefficients> polys, std::span<const zka_fe> points,
                zka_fe* out) override {
    const Job job = machine_.job(queue);
    // Pieces of polynomial i are those from first[i] to first[i + 1].
    Array<size_t> first(job.memory, polys.size() + 1);
    first[0] = 0;
    for (size_t i = 0; i < polys.size(); ++i) first[i + 1] = first[i] + (polys[i].n + PIECE - 1) / PIECE;
    Array<zka_fe> values(job.memory, first[polys.size()] * points.size());
    job.pool.parallel(values.size(), [&](size_t at) {
      job.cancel.check();
      const size_t piece = at / points.size();
      const size_t i = std::upper_bound(first.data(), first.data() + polys.size(), piece) - first.data() - 1;
      const size_t begin = (piece - first[i]) * PIECE;
      const size_t n = std::min(PIECE, polys[i].n - begin);
      values[at] = ZKA_BY_ISA(job.isa, poly_horner(field, polys[i].data + begin, n, points[at % points.size()]));
    });
    for (size_t point = 0; point < points.size(); ++point) {
      const zka_fe power = ZKA_BY_ISA(job.isa, poly_power(field, points[point], PIECE));
      for (size_t i = 0; i < polys.size(); ++i) {
        zka_fe sum{};
        for (size_t piece = first[i + 1]; piece-- > first[i];) {
          sum = ZKA_BY_ISA(job.isa, poly_mul_add(field, power, sum, values[piece * points.size() + point]));
        }
        out[i * points.size() + point] = sum;
      }
    }
  }

 private:
  Machine& machine_;
};

}  // namespace

std::unique_ptr<PolynomialOperations> polynomial_operations(Machine& machine) {
  return std::make_unique<CpuPolynomials>(machine);
}

}  // namespace zka::cpu
