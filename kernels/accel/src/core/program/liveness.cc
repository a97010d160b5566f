#include "core/program/liveness.h"

#include <algorithm>
#include <utility>

#include "core/failure.h"
#include "core/program/names.h"
#include "core/program/operands.h"

namespace zka {
namespace {

constexpr uint32_t NEVER = UINT32_MAX;

// A value is named by the instruction that makes it.
class Liveness {
 public:
  Liveness(Memory& memory, std::span<const zka_insn> code)
      : n_(code.size()),
        insns_(memory, n_),
        last_read_(memory, n_),
        register_of_(memory, n_),
        free_(memory, n_) {
    std::copy(code.begin(), code.end(), insns_.data());
    std::fill_n(last_read_.data(), n_, NEVER);
    name_values(RegisterNames(memory, code), memory);
  }

  LeanCode run() && {
    if (result_.source != ZKA_SRC_REGISTER) {  // all of the program is a MOV
      insns_[0] = {ZKA_INSN_MOV, 0, result_, {}, {}};
      return {std::move(insns_), 1, 1};
    }
    find_last_reads();
    const size_t n = assign();
    rename_result(n);
    return {std::move(insns_), n, nregisters_};
  }

 private:
  template <class Visit>
  static void for_registers(zka_insn& insn, const Visit& visit) {
    zka_operand* const operands[] = {&insn.a, &insn.b, &insn.c};
    for (int i = 0; i < operands_of(insn.op); ++i) {
      if (operands[i]->source == ZKA_SRC_REGISTER) visit(*operands[i]);
    }
  }

  // Operands that are registers become the values in them.
  void name_values(const RegisterNames& names, Memory& memory) {
    Array<zka_operand> now(memory, names.size());
    for (size_t i = 0; i < n_; ++i) {
      zka_insn& insn = insns_[i];
      for_registers(insn, [&](zka_operand& operand) { operand = now[*names.find(operand.index)]; });
      now[*names.find(insn.dst)] =
          insn.op == ZKA_INSN_MOV ? insn.a : zka_operand{ZKA_SRC_REGISTER, static_cast<uint32_t>(i), 0};
    }
    result_ = now[*names.find(0)];
  }

  void find_last_reads() {
    last_read_[result_.index] = static_cast<uint32_t>(n_);
    for (size_t i = n_; i-- > 0;) {
      if (last_read_[i] == NEVER) continue;
      for_registers(insns_[i], [&](const zka_operand& operand) {
        if (last_read_[operand.index] == NEVER) last_read_[operand.index] = static_cast<uint32_t>(i);
      });
    }
  }

  // Values become registers again; returns how many instructions are left, now at the beginning.
  size_t assign() {
    size_t live = 0;
    for (size_t i = 0; i < n_; ++i) {
      if (last_read_[i] == NEVER) continue;
      zka_insn insn = insns_[i];
      for_registers(insn, [&](zka_operand& operand) {
        const uint32_t value = operand.index;
        operand.index = register_of_[value];
        if (last_read_[value] != i) return;
        last_read_[value] = NEVER;  // once, should it be read twice here
        free_[nfree_++] = operand.index;
      });
      insn.dst = register_of_[i] = nfree_ > 0 ? free_[--nfree_] : nregisters_++;
      insns_[live++] = insn;
    }
    return live;
  }

  // The last value is to be in register 0.
  void rename_result(size_t n) {
    const uint32_t last = register_of_[result_.index];
    const auto renamed = [last](uint32_t name) { return name == 0 ? last : name == last ? 0 : name; };
    for (size_t i = 0; i < n; ++i) {
      for_registers(insns_[i], [&](zka_operand& operand) { operand.index = renamed(operand.index); });
      insns_[i].dst = renamed(insns_[i].dst);
    }
  }

  size_t n_;
  Array<zka_insn> insns_;
  Array<uint32_t> last_read_;
  Array<uint32_t> register_of_;
  Array<uint32_t> free_;
  zka_operand result_{};
  uint32_t nregisters_ = 0;
  size_t nfree_ = 0;
};

}  // namespace

LeanCode lean_code(Memory& memory, std::span<const zka_insn> code) {
  if (code.size() >= NEVER) throw Failure(ZKA_E_SIZE, "more instructions than 2^32 - 2");
  return Liveness(memory, code).run();
}

}  // namespace zka
