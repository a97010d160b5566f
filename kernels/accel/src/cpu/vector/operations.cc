#include "cpu/vector/operations.h"

#include "cpu/chunks.h"
#include "cpu/vector/loops.h"

namespace zka::cpu {
namespace {

class CpuVectors : public VectorOperations {
 public:
  explicit CpuVectors(Machine& machine) : machine_(machine) {}

  void apply(Queue& queue, zka_field field, zka_vector_op op, const zka_fe* a, const zka_fe* b, zka_fe* out,
             size_t n) override {
    const Job job = machine_.job(queue);
    in_chunks(job, n, [&](size_t begin, size_t count) {
      ZKA_BY_ISA(job.isa, vector_apply(field, op, a + begin, b + begin, out + begin, count));
    });
  }

  void scale_add(Queue& queue, zka_field field, zka_fe factor, const zka_fe* a, const zka_fe* b, zka_fe* out,
                 size_t n) override {
    const Job job = machine_.job(queue);
    in_chunks(job, n, [&](size_t begin, size_t count) {
      const zka_fe* added = b == nullptr ? nullptr : b + begin;
      ZKA_BY_ISA(job.isa, vector_scale_add(field, factor, a + begin, added, out + begin, count));
    });
  }

  void powers(Queue& queue, zka_field field, zka_fe start, zka_fe base, zka_fe* out, size_t n) override {
    const Job job = machine_.job(queue);
    in_chunks(job, n, [&](size_t begin, size_t count) {
      ZKA_BY_ISA(job.isa, vector_powers(field, start, base, begin, out + begin, count));
    });
  }

 private:
  Machine& machine_;
};

}  // namespace

std::unique_ptr<VectorOperations> vector_operations(Machine& machine) {
  return std::make_unique<CpuVectors>(machine);
}

}  // namespace zka::cpu
