#include "gpu/quotient/code.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>

#include "core/failure.h"
#include "core/program/operands.h"

namespace zka::gpu {
namespace {

using Code = std::span<const zka_insn>;

// visit(operand) for those that the instruction has.
template <class Visit>
void for_operands(const zka_insn& insn, const Visit& visit) {
  const zka_operand* const operands[] = {&insn.a, &insn.b, &insn.c};
  for (int i = 0; i < operands_of(insn.op); ++i) visit(*operands[i]);
}

// Of an operand that is no register.
Location table_of(const zka_operand& operand) {
  return operand.source == ZKA_SRC_CONST || operand.source == ZKA_SRC_CHALLENGE ? Location::value : Location::column;
}

bool comes_before(const zka_operand& a, const zka_operand& b) {
  return std::tie(a.source, a.index, a.rotation) < std::tie(b.source, b.index, b.rotation);
}
bool same(const zka_operand& a, const zka_operand& b) { return !comes_before(a, b) && !comes_before(b, a); }

// The operands of a table that the code reads, each once, in order.
Array<zka_operand> table(Memory& memory, Code code, Location location) {
  Array<zka_operand> all(memory, 3 * code.size());
  zka_operand* end = all.data();
  for (const zka_insn& insn : code) {
    for_operands(insn, [&](const zka_operand& operand) {
      if (operand.source != ZKA_SRC_REGISTER && table_of(operand) == location) *end++ = operand;
    });
  }
  std::sort(all.data(), end, comes_before);
  end = std::unique(all.data(), end, same);
  Array<zka_operand> once(memory, end - all.data());
  std::copy(all.data(), end, once.data());
  return once;
}

uint32_t number_in(const Array<zka_operand>& table, const zka_operand& operand) {
  const auto all = table.span();
  return static_cast<uint32_t>(std::lower_bound(all.begin(), all.end(), operand, comes_before) - all.begin());
}

// The place of each register.
Array<Place> places(Memory& memory, Code code, uint32_t nregisters, uint32_t in_shared) {
  Array<uint64_t> uses(memory, nregisters);
  std::fill_n(uses.data(), nregisters, 0);
  for (const zka_insn& insn : code) {
    ++uses[insn.dst];
    for_operands(insn, [&](const zka_operand& operand) {
      if (operand.source == ZKA_SRC_REGISTER) ++uses[operand.index];
    });
  }
  Array<uint32_t> by_use(memory, nregisters);
  std::iota(by_use.data(), by_use.data() + nregisters, 0);
  std::sort(by_use.data(), by_use.data() + nregisters, [&](uint32_t a, uint32_t b) {
    return uses[a] != uses[b] ? uses[a] > uses[b] : a < b;
  });
  Array<Place> of(memory, nregisters);
  for (uint32_t i = 0; i < nregisters; ++i) {
    of[by_use[i]] = i < in_shared ? Place(Location::shared, i) : Place(Location::spilled, i - in_shared);
  }
  return of;
}

}  // namespace

DeviceCode encode(Memory& memory, const zka_program_desc& desc, uint32_t in_shared) {
  const Code code(desc.code, desc.ncode);
  if (code.size() > Place::NUMBERS) {
    throw Failure(ZKA_E_SIZE, "more instructions than the " + std::to_string(Place::NUMBERS) + " that a device takes");
  }
  const Array<Place> registers = places(memory, code, desc.nregisters, in_shared);
  DeviceCode made{Array<DeviceInsn>(memory, code.size()), table(memory, code, Location::value),
                  table(memory, code, Location::column), registers[0]};
  const auto place = [&](const zka_operand& operand) -> Place {
    if (operand.source == ZKA_SRC_REGISTER) return registers[operand.index];
    const Location location = table_of(operand);
    return {location, number_in(location == Location::value ? made.values : made.columns, operand)};
  };
  for (size_t i = 0; i < code.size(); ++i) {
    const zka_insn& insn = code[i];
    made.insns[i] = {insn.op | registers[insn.dst].word() << 4, place(insn.a), place(insn.b), place(insn.c)};
  }
  return made;
}

}  // namespace zka::gpu
