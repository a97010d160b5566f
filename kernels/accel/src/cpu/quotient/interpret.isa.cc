#include "cpu/quotient/interpret.h"

#include <algorithm>

#include "cpu/lanes.h"
#include "ff/fields.h"

namespace zka::ZKA_ISA {
namespace {

constexpr size_t TILE = cpu::QuotientRun::TILE;

template <class Params>
class Interpreter {
  using L = Lanes<Params>;
  using Scalar = typename L::Scalar;
  static constexpr size_t STEPS = TILE / L::WIDTH;
  struct Tile {
    L at[STEPS];
  };

 public:
  static constexpr size_t OPERANDS = 3;
  static constexpr size_t scratch_bytes(size_t nregisters) { return (nregisters + OPERANDS) * sizeof(Tile); }

  Interpreter(const cpu::QuotientRun& run, void* scratch)
      : run_(run), loaded_(static_cast<Tile*>(scratch)), registers_(loaded_ + OPERANDS) {}

  void rows(size_t begin, size_t end) {
    for (row_ = begin; row_ < end; row_ += TILE) {
      rows_ = std::min(TILE, end - row_);
      steps_ = (rows_ + L::WIDTH - 1) / L::WIDTH;
      for (const zka_insn& insn : run_.code) step(insn);
      store(elements(run_.out) + row_);
    }
  }

 private:
  // An operand over the tile: at[i * stride].
  struct View {
    const L* at;
    size_t stride;
    const L& operator[](size_t i) const { return at[i * stride]; }
  };

  static const Scalar* elements(const zka_fe* at) { return reinterpret_cast<const Scalar*>(at); }
  static Scalar* elements(zka_fe* at) { return reinterpret_cast<Scalar*>(at); }

  void step(const zka_insn& insn) {
    const View a = view(insn.a, 0);
    switch (insn.op) {
      case ZKA_INSN_MOV:
        return each(insn, [&](size_t i) { return a[i]; });
      case ZKA_INSN_SQR:
        return each(insn, [&](size_t i) { return a[i] * a[i]; });
      case ZKA_INSN_DBL:
        return each(insn, [&](size_t i) { return a[i] + a[i]; });
      case ZKA_INSN_NEG:
        return each(insn, [&](size_t i) { return -a[i]; });
      default:
        break;
    }
    const View b = view(insn.b, 1);
    switch (insn.op) {
      case ZKA_INSN_ADD:
        return each(insn, [&](size_t i) { return a[i] + b[i]; });
      case ZKA_INSN_SUB:
        return each(insn, [&](size_t i) { return a[i] - b[i]; });
      case ZKA_INSN_MUL:
        return each(insn, [&](size_t i) { return a[i] * b[i]; });
      default:
        break;
    }
    const View c = view(insn.c, 2);
    each(insn, [&](size_t i) { return a[i] * b[i] + c[i]; });
  }

  // The target may be an operand too: each step is read before it is written.
  template <class Value>
  void each(const zka_insn& insn, const Value& value) {
    L* const to = registers_[insn.dst].at;
    for (size_t i = 0; i < steps_; ++i) to[i] = value(i);
  }

  View view(const zka_operand& operand, size_t slot) {
    switch (operand.source) {
      case ZKA_SRC_REGISTER:
        return {registers_[operand.index].at, 1};
      case ZKA_SRC_CONST:
        return one(elements(run_.consts)[operand.index], slot);
      case ZKA_SRC_CHALLENGE:
        return one(elements(run_.challenges)[operand.index], slot);
      case ZKA_SRC_COLUMN:
        return rotated(elements(run_.columns[operand.index]), operand.rotation, slot);
      default:
        return rotated(elements(run_.out), 0, slot);
    }
  }

  View one(const Scalar& value, size_t slot) {
    loaded_[slot].at[0] = L::broadcast(value);
    return {loaded_[slot].at, 0};
  }

  // Below n in absolute value, so that at most one n leads back.
  size_t first_row(int32_t rotation) const {
    const size_t distance = static_cast<size_t>(rotation < 0 ? -int64_t{rotation} : int64_t{rotation}) *
                            static_cast<size_t>(run_.rotation_scale);
    if (rotation < 0) return row_ >= distance ? row_ - distance : row_ + run_.n - distance;
    return row_ < run_.n - distance ? row_ + distance : row_ - (run_.n - distance);
  }

  View rotated(const Scalar* column, int32_t rotation, size_t slot) {
    const size_t first = first_row(rotation);
    const size_t straight = std::min(rows_, run_.n - first);
    L* const to = loaded_[slot].at;
    if (straight == rows_ && rows_ % L::WIDTH == 0) {
      for (size_t i = 0; i < steps_; ++i) to[i] = L::load(column + first + i * L::WIDTH);
      return {to, 1};
    }
    // Round the end of the column, or at the end of the rows.
    Scalar gathered[TILE];
    std::copy_n(column + first, straight, gathered);
    std::copy_n(column, rows_ - straight, gathered + straight);
    std::fill(gathered + rows_, gathered + steps_ * L::WIDTH, Scalar::zero());
    for (size_t i = 0; i < steps_; ++i) to[i] = L::load(gathered + i * L::WIDTH);
    return {to, 1};
  }

  void store(Scalar* to) const {
    const L* const from = registers_[0].at;
    const size_t full = rows_ / L::WIDTH;
    for (size_t i = 0; i < full; ++i) from[i].store(to + i * L::WIDTH);
    if (full == steps_) return;
    Scalar last[L::WIDTH];
    from[full].store(last);
    std::copy_n(last, rows_ % L::WIDTH, to + full * L::WIDTH);
  }

  const cpu::QuotientRun& run_;
  Tile* const loaded_;
  Tile* const registers_;
  size_t row_ = 0, rows_ = 0, steps_ = 0;
};

}  // namespace

size_t quotient_scratch_bytes(uint32_t nregisters) { return Interpreter<FrParams>::scratch_bytes(nregisters); }

void quotient_rows(const cpu::QuotientRun& run, void* scratch, size_t begin, size_t end) {
  with_field(run.field, [&]<class Params>(Params) { Interpreter<Params>(run, scratch).rows(begin, end); });
}

}  // namespace zka::ZKA_ISA
