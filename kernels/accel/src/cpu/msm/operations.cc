#include "cpu/msm/operations.h"

#include <algorithm>

#include "cpu/chunks.h"
#include "cpu/msm/bases.h"
#include "cpu/msm/kernels.h"
#include "cpu/msm/multiplication.h"

namespace zka::cpu {
namespace {

class CpuMsm : public MsmOperations {
 public:
  explicit CpuMsm(Machine& machine) : machine_(machine) {}

  std::unique_ptr<Prepared> bases(zka_curve curve, const zka_affine* points, size_t n, uint32_t precompute, bool check,
                                  size_t* bad_index) override {
    const Cancel never;
    const Queue queue(never);
    return std::make_unique<PreparedBases>(machine_.job(queue), curve, points, n, precompute, check, bad_index);
  }

  Bytes bases_bytes(zka_curve, size_t n, uint32_t precompute) override {
    return {PreparedBases::bytes(n, precompute), 0};
  }

  void msm(Queue& queue, const Prepared& prepared, size_t first, const zka_fe* scalars, size_t n, size_t batch,
           zka_jacobian* out) override {
    const auto& bases = static_cast<const PreparedBases&>(prepared);
    if (n == 0 || batch == 0) {
      std::fill_n(out, batch, zka_jacobian{});
      std::for_each(out, out + batch, msm_kernels(machine_.isa, bases.curve()).finish);
      return;
    }
    const Job job = machine_.job(queue);
    Multiplication(job, bases.curve(), bases.terms(first, n), batch).run(scalars, out);
  }

  Bytes msm_bytes(const Prepared& prepared, size_t n, size_t batch) override {
    if (n == 0 || batch == 0) return {};
    const Terms terms = static_cast<const PreparedBases&>(prepared).terms(0, n);
    return {plan_msm(machine_.isa, terms, batch, machine_.pool.threads()).bytes(terms), 0};
  }

  void to_affine(Queue& queue, zka_curve curve, const zka_jacobian* points, size_t n, zka_affine* out) override {
    const Job job = machine_.job(queue);
    in_chunks(job, n, [&](size_t begin, size_t count) {
      msm_kernels(job.isa, curve).normalise(points + begin, count, out + begin);
    });
  }

 private:
  Machine& machine_;
};

}  // namespace

std::unique_ptr<MsmOperations> msm_operations(Machine& machine) { return std::make_unique<CpuMsm>(machine); }

}  // namespace zka::cpu
