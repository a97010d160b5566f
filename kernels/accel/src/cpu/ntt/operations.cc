#include "cpu/ntt/operations.h"

#include "cpu/chunks.h"
#include "cpu/ntt/domain.h"

namespace zka::cpu {
namespace {

const CpuDomain& cpu_domain(const Prepared& domain) { return static_cast<const CpuDomain&>(domain); }

class CpuNtt : public NttOperations {
 public:
  explicit CpuNtt(Machine& machine) : machine_(machine) {}

  std::unique_ptr<Prepared> domain(uint32_t k, uint32_t extended_k, zka_fe omega, zka_fe coset) override {
    return std::make_unique<CpuDomain>(machine_.memory, machine_.isa, k, extended_k, Fr::of(omega.l),
                                       Fr::of(coset.l));
  }
  Bytes domain_bytes(uint32_t k, uint32_t extended_k) override {
    return {.host = CpuDomain::bytes(machine_.isa, k, extended_k)};
  }

  void ntt(Queue& queue, const Prepared& domain, std::span<zka_fe* const> columns, uint32_t log_n,
           zka_ntt_direction direction, zka_order order, bool on_coset) override {
    cpu_domain(domain).transform(log_n).run(machine_.job(queue), columns, {direction, order, on_coset});
  }
  Bytes ntt_bytes(const Prepared&, uint32_t log_n) override {
    return {.host = Transform::scratch_bytes(machine_.isa, machine_.pool.threads(), log_n)};
  }

  void coeff_to_extended(Queue& queue, const Prepared& domain, const zka_fe* coefficients, size_t n,
                         zka_fe* extended) override {
    cpu_domain(domain).extended().run(machine_.job(queue), coefficients, n, extended,
                                      {ZKA_NTT_FORWARD, ZKA_ORDER_NN, true});
  }

  void divide_by_vanishing(Queue& queue, const Prepared& domain, zka_fe* extended) override {
    const Job job = machine_.job(queue);
    const Array<Fr>& inverses = cpu_domain(domain).vanishing_inverses();
    const auto* const table = reinterpret_cast<const zka_fe*>(inverses.data());
    in_chunks(job, cpu_domain(domain).extended().n(), [&](size_t begin, size_t count) {
      ZKA_BY_ISA(job.isa, scale_periodically(extended + begin, table, inverses.size() - 1, begin, count));
    });
  }

 private:
  Machine& machine_;
};

}  // namespace

std::unique_ptr<NttOperations> ntt_operations(Machine& machine) { return std::make_unique<CpuNtt>(machine); }

}  // namespace zka::cpu
