#include "cpu/quotient/operations.h"

#include <algorithm>

#include "cpu/quotient/interpret.h"
#include "cpu/share_out.h"

namespace zka::cpu {
namespace {

// Tiles between looks at the stream's cancel.
constexpr size_t TILES_AT_ONCE = 8;
constexpr size_t ROWS_AT_ONCE = QuotientRun::TILE * TILES_AT_ONCE;

struct CpuProgram : Prepared {
  CpuProgram(Memory& memory, const zka_program_desc& desc)
      : code(memory, desc.ncode),
        consts(memory, desc.nconsts),
        nregisters(desc.nregisters),
        field(static_cast<zka_field>(desc.field)) {
    std::copy_n(desc.code, desc.ncode, code.data());
    std::copy_n(desc.consts, desc.nconsts, consts.data());
  }

  Array<zka_insn> code;
  Array<zka_fe> consts;
  uint32_t nregisters;
  zka_field field;
};

// Columns are read in place, and registers are of a tile's size: rows are always worked on in parts.
class CpuQuotient : public QuotientOperations {
 public:
  explicit CpuQuotient(Machine& machine) : machine_(machine) {}

  std::unique_ptr<Prepared> program(const zka_program_desc& desc) override {
    return std::make_unique<CpuProgram>(machine_.memory, desc);
  }

  void evaluate(Queue& queue, const Prepared& prepared, std::span<const zka_fe* const> columns,
                std::span<const zka_fe> challenges, uint64_t rotation_scale, size_t n, zka_fe* out) override {
    const Job job = machine_.job(queue);
    const auto& program = static_cast<const CpuProgram&>(prepared);
    const QuotientRun run{program.code.span(), program.nregisters, program.field, program.consts.data(),
                          columns.data(),      challenges.data(),  rotation_scale, n,
                          out};
    const size_t each = scratch_bytes(program);
    Array<std::byte> scratch(job.memory, workers(n) * each);
    share_out(job, blocks(n), workers(n), [&](size_t worker, size_t block) {
      const size_t begin = block * ROWS_AT_ONCE, end = std::min(n, begin + ROWS_AT_ONCE);
      ZKA_BY_ISA(job.isa, quotient_rows(run, scratch.data() + worker * each, begin, end));
    });
  }

  Bytes evaluate_bytes(const Prepared& prepared, size_t n) override {
    return {Memory::counted(workers(n) * scratch_bytes(static_cast<const CpuProgram&>(prepared)), 1), 0};
  }

 private:
  static size_t blocks(size_t n) { return n / ROWS_AT_ONCE + (n % ROWS_AT_ONCE != 0); }
  size_t workers(size_t n) const { return std::min<size_t>(machine_.pool.threads(), blocks(n)); }
  size_t scratch_bytes(const CpuProgram& program) const {
    return ZKA_BY_ISA(machine_.isa, quotient_scratch_bytes(program.nregisters));
  }

  Machine& machine_;
};

}  // namespace

std::unique_ptr<QuotientOperations> quotient_operations(Machine& machine) {
  return std::make_unique<CpuQuotient>(machine);
}

}  // namespace zka::cpu
