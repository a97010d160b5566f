#include "reference/program.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace zka::reference {
namespace {

std::vector<zka_operand> operands(const zka_insn& insn) {
  switch (insn.op) {
    case ZKA_INSN_MOV:
    case ZKA_INSN_SQR:
    case ZKA_INSN_DBL:
    case ZKA_INSN_NEG:
      return {insn.a};
    case ZKA_INSN_MULADD:
      return {insn.a, insn.b, insn.c};
    default:
      return {insn.a, insn.b};
  }
}

bool all_zero(const zka_operand& x) { return x.source == 0 && x.index == 0 && x.rotation == 0; }

bool readable(const zka_program_desc& program, const zka_operand& x, const std::set<uint32_t>& written) {
  if (x.source == ZKA_SRC_COLUMN) return x.index < program.ncolumns;
  if (x.rotation != 0) return false;
  if (x.source == ZKA_SRC_REGISTER) return x.index < program.nregisters && written.contains(x.index);
  if (x.source == ZKA_SRC_CONST) return x.index < program.nconsts;
  if (x.source == ZKA_SRC_CHALLENGE) return x.index < program.nchallenges;
  return x.source == ZKA_SRC_PREVIOUS && x.index == 0;
}

}  // namespace

std::optional<size_t> first_fault(const zka_program_desc& program) {
  std::set<uint32_t> written;
  for (size_t i = 0; i < program.ncode; ++i) {
    const zka_insn& insn = program.code[i];
    if (insn.op > ZKA_INSN_MULADD || insn.dst >= program.nregisters) return i;
    const size_t count = operands(insn).size();
    if (count < 2 && !all_zero(insn.b)) return i;
    if (count < 3 && !all_zero(insn.c)) return i;
    for (const zka_operand& x : operands(insn)) {
      if (!readable(program, x, written)) return i;
    }
    written.insert(insn.dst);
  }
  return written.contains(0) ? std::nullopt : std::optional<size_t>(program.ncode - 1);
}

uint32_t most_live(const zka_program_desc& program) {
  // The instructions whose values each one reads.
  std::vector<std::vector<size_t>> reads(program.ncode);
  std::map<uint32_t, size_t> writer;
  for (size_t i = 0; i < program.ncode; ++i) {
    for (const zka_operand& x : operands(program.code[i])) {
      if (x.source == ZKA_SRC_REGISTER) reads[i].push_back(writer.at(x.index));
    }
    writer[program.code[i].dst] = i;
  }
  // The last reading of each value that matters in the end.
  std::map<size_t, size_t> last = {{writer.at(0), program.ncode}};
  for (size_t i = program.ncode; i-- > 0;) {
    if (!last.contains(i)) continue;
    for (const size_t value : reads[i]) last.emplace(value, i);
  }
  size_t most = 0;
  for (size_t at = 0; at < program.ncode; ++at) {
    most = std::max<size_t>(most, std::count_if(last.begin(), last.end(), [at](const auto& value) {
      return value.first <= at && at < value.second;
    }));
  }
  return static_cast<uint32_t>(most);
}

}  // namespace zka::reference
