#include "cpu/product/operations.h"

#include <algorithm>

#include "cpu/product/loops.h"
#include "cpu/share_out.h"
#include "ff/fields.h"

namespace zka::cpu {
namespace {

size_t blocks_of(size_t n) { return n / PRODUCT_BLOCK + (n % PRODUCT_BLOCK != 0); }

// A worker's memory for inverting blocks, for all workers that n elements keep busy.
struct InverseScratch {
  InverseScratch(const Job& job, size_t n)
      : each(inverse_scratch(job.isa, std::min(n, PRODUCT_BLOCK))), all(job.memory, each * workers(job.pool, n)) {}
  static size_t workers(const Pool& pool, size_t n) { return std::min<size_t>(pool.threads(), blocks_of(n)); }
  static uint64_t bytes(const Pool& pool, Isa isa, size_t n) {
    return Memory::counted(inverse_scratch(isa, std::min(n, PRODUCT_BLOCK)) * workers(pool, n), 1);
  }
  void* of(size_t worker) { return all.data() + worker * each; }

  size_t each;
  Array<uint8_t> all;
};

// work(worker, block, begin, count) for the blocks of [0, n).
template <class Work>
void for_blocks(const Job& job, size_t n, const Work& work) {
  share_out(job, blocks_of(n), job.pool.threads(), [&](size_t worker, size_t block) {
    const size_t begin = block * PRODUCT_BLOCK;
    work(worker, block, begin, std::min(PRODUCT_BLOCK, n - begin));
  });
}

// From the products of all segments, in order, to what comes before each.
template <class F>
void totals_to_carries(Array<zka_fe>& totals, const zka_fe& start) {
  F before = F::of(start.l);
  for (zka_fe& element : totals.span()) {
    const F total = F::of(element.l);
    std::copy_n(before.l, 4, element.l);
    before *= total;
  }
}

class CpuProducts : public ProductOperations {
 public:
  explicit CpuProducts(Machine& machine) : machine_(machine) {}

  void batch_inverse(Queue& queue, zka_field field, zka_fe* v, size_t n) override {
    const Job job = machine_.job(queue);
    InverseScratch scratch(job, n);
    for_blocks(job, n, [&](size_t worker, size_t, size_t begin, size_t count) {
      ZKA_BY_ISA(job.isa, invert_block(field, v + begin, v + begin, count, scratch.of(worker)));
    });
  }
  Bytes batch_inverse_bytes(size_t n) override {
    return {.host = InverseScratch::bytes(machine_.pool, machine_.isa, n)};
  }

  // Each block for itself; then what comes before each, one after the other; then that into all of them.
  void grand_product(Queue& queue, zka_field field, const zka_fe* num, const zka_fe* den, zka_fe start, size_t n,
                     zka_fe* z) override {
    const Job job = machine_.job(queue);
    InverseScratch scratch(job, n);
    Array<zka_fe> totals(job.memory, blocks_of(n) * SEGMENT_TOTALS);
    z[0] = start;
    zka_fe* const x = z + 1;
    for_blocks(job, n, [&](size_t worker, size_t block, size_t begin, size_t count) {
      ZKA_BY_ISA(job.isa, invert_block(field, den + begin, x + begin, count, scratch.of(worker)));
      ZKA_BY_ISA(job.isa, scan_block(field, num + begin, x + begin, count, totals.data() + block * SEGMENT_TOTALS));
    });
    ZKA_ISA::with_field(field, [&]<class P>(P) { totals_to_carries<ZKA_ISA::Field<P>>(totals, start); });
    for_blocks(job, n, [&](size_t, size_t block, size_t begin, size_t count) {
      ZKA_BY_ISA(job.isa, carry_block(field, x + begin, count, totals.data() + block * SEGMENT_TOTALS));
    });
  }
  Bytes grand_product_bytes(size_t n) override {
    return {.host = InverseScratch::bytes(machine_.pool, machine_.isa, n) +
                    Memory::counted(blocks_of(n) * SEGMENT_TOTALS, sizeof(zka_fe))};
  }

 private:
  Machine& machine_;
};

}  // namespace

std::unique_ptr<ProductOperations> product_operations(Machine& machine) {
  return std::make_unique<CpuProducts>(machine);
}

}  // namespace zka::cpu
