#include "core/program/check.h"

#include <string>

#include "core/elements.h"
#include "core/failure.h"
#include "core/program/names.h"
#include "core/program/operands.h"

namespace zka {
namespace {

class Check {
 public:
  Check(Memory& memory, const zka_program_desc& desc)
      : desc_(desc), code_(desc.code, desc.ncode), names_(memory, code_) {}

  void run() {
    if (code_.empty()) throw Failure(ZKA_E_PROGRAM, "the program has no instructions, so register 0 has no value");
    for (at_ = 0; at_ < code_.size(); ++at_) instruction(code_[at_]);
    at_ = code_.size() - 1;
    if (!names_.find(0)) fail("is the last, and register 0 was never written");
  }

 private:
  [[noreturn]] void fail(const std::string& words) const {
    throw Failure(ZKA_E_PROGRAM, "instruction " + std::to_string(at_) + " " + words);
  }
  [[noreturn]] void fail_range(const std::string& what, const char* kind, uint32_t index, uint64_t limit) const {
    fail(what + " " + kind + " " + std::to_string(index) + " of " + std::to_string(limit));
  }

  void instruction(const zka_insn& insn) const {
    if (insn.op > ZKA_INSN_MULADD) fail("has the unknown operation " + std::to_string(insn.op));
    const zka_operand* const operands[] = {&insn.a, &insn.b, &insn.c};
    for (int i = 0; i < 3; ++i) {
      const std::string name = std::string("operand ") + "abc"[i];
      if (i < operands_of(insn.op)) {
        read(*operands[i], name);
      } else if (operands[i]->source != 0 || operands[i]->index != 0 || operands[i]->rotation != 0) {
        fail("has no " + name + ", which must be all zero");
      }
    }
    if (insn.dst >= desc_.nregisters) fail_range("writes", "register", insn.dst, desc_.nregisters);
  }

  void read(const zka_operand& operand, const std::string& name) const {
    const std::string reads = "reads as " + name;
    if (operand.rotation != 0 && operand.source != ZKA_SRC_COLUMN) fail("rotates " + name + ", which is no column");
    switch (operand.source) {
      case ZKA_SRC_REGISTER:
        if (operand.index >= desc_.nregisters) fail_range(reads, "register", operand.index, desc_.nregisters);
        if (!names_.written_before(operand.index, at_)) {
          fail(reads + " register " + std::to_string(operand.index) + ", which was not written before");
        }
        return;
      case ZKA_SRC_CONST:
        if (operand.index >= desc_.nconsts) fail_range(reads, "constant", operand.index, desc_.nconsts);
        return;
      case ZKA_SRC_COLUMN:
        if (operand.index >= desc_.ncolumns) fail_range(reads, "column", operand.index, desc_.ncolumns);
        return;
      case ZKA_SRC_CHALLENGE:
        if (operand.index >= desc_.nchallenges) fail_range(reads, "challenge", operand.index, desc_.nchallenges);
        return;
      case ZKA_SRC_PREVIOUS:
        if (operand.index != 0) fail_range(reads, "previous value", operand.index, 1);
        return;
      default:
        fail(reads + " the unknown source " + std::to_string(operand.source));
    }
  }

  const zka_program_desc& desc_;
  std::span<const zka_insn> code_;
  RegisterNames names_;
  size_t at_ = 0;
};

}  // namespace

void check_program(Memory& memory, const zka_program_desc& desc) {
  Check(memory, desc).run();
  for (size_t i = 0; i < desc.nconsts; ++i) {
    if (!is_below_modulus(static_cast<zka_field>(desc.field), desc.consts[i])) {
      throw Failure(ZKA_E_NON_CANONICAL, "constant " + std::to_string(i) + " is not below the modulus");
    }
  }
}

}  // namespace zka
