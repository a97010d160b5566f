#include "reference/quotient.h"

#include <map>

#include "ff/fields.h"

namespace zka::reference {
namespace {

template <class F>
F in(const zka_fe& x) {
  return F::of(x.l);
}

template <class F>
void evaluate(const zka_program_desc& program, const std::vector<std::vector<zka_fe>>& columns,
              const std::vector<zka_fe>& challenges, uint64_t rotation_scale, std::vector<zka_fe>& out) {
  const auto n = static_cast<__int128>(out.size());
  for (size_t row = 0; row < out.size(); ++row) {
    std::map<uint32_t, F> registers;
    const auto read = [&](const zka_operand& operand) {
      switch (operand.source) {
        case ZKA_SRC_REGISTER:
          return registers.at(operand.index);
        case ZKA_SRC_CONST:
          return in<F>(program.consts[operand.index]);
        case ZKA_SRC_CHALLENGE:
          return in<F>(challenges.at(operand.index));
        case ZKA_SRC_COLUMN: {
          const __int128 there = static_cast<__int128>(row) + static_cast<__int128>(operand.rotation) * rotation_scale;
          return in<F>(columns.at(operand.index).at(static_cast<size_t>(((there % n) + n) % n)));
        }
        default:
          return in<F>(out[row]);
      }
    };
    for (size_t i = 0; i < program.ncode; ++i) {
      const zka_insn& insn = program.code[i];
      const F a = read(insn.a);
      F value = a;
      if (insn.op == ZKA_INSN_ADD) value = a + read(insn.b);
      if (insn.op == ZKA_INSN_SUB) value = a - read(insn.b);
      if (insn.op == ZKA_INSN_MUL) value = a * read(insn.b);
      if (insn.op == ZKA_INSN_SQR) value = a * a;
      if (insn.op == ZKA_INSN_DBL) value = a + a;
      if (insn.op == ZKA_INSN_NEG) value = F::zero() - a;
      if (insn.op == ZKA_INSN_MULADD) value = a * read(insn.b) + read(insn.c);
      registers[insn.dst] = value;
    }
    const F result = registers.at(0);
    out[row] = {{result.l[0], result.l[1], result.l[2], result.l[3]}};
  }
}

}  // namespace

void evaluate_quotient(const zka_program_desc& program, const std::vector<std::vector<zka_fe>>& columns,
                       const std::vector<zka_fe>& challenges, uint64_t rotation_scale, std::vector<zka_fe>& out) {
  portable::with_field(static_cast<zka_field>(program.field), [&]<class Params>(Params) {
    evaluate<portable::Field<Params>>(program, columns, challenges, rotation_scale, out);
  });
}

}  // namespace zka::reference
