#include "core/program/program.h"

#include <algorithm>

#include "core/program/check.h"
#include "core/program/liveness.h"

namespace zka {

Program::Program(std::shared_ptr<Context> context, QuotientOperations& operations, const zka_program_desc& desc)
    : context_(std::move(context)),
      field_(static_cast<zka_field>(desc.field)),
      ncolumns_(desc.ncolumns),
      nchallenges_(desc.nchallenges) {
  check_program(context_->memory(), desc);
  const LeanCode lean = lean_code(context_->memory(), {desc.code, desc.ncode});
  nregisters_ = lean.nregisters;
  for (const zka_insn& insn : lean.code()) {
    for (const zka_operand* operand : {&insn.a, &insn.b, &insn.c}) {
      const int64_t rotation = operand->rotation;
      reach_ = std::max(reach_, static_cast<uint32_t>(rotation < 0 ? -rotation : rotation));
    }
  }
  zka_program_desc given = desc;
  given.code = lean.code().data();
  given.ncode = lean.code().size();
  given.nregisters = nregisters_;
  prepared_ = operations.program(given);
}

}  // namespace zka
