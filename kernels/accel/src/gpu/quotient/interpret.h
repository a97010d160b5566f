// The interpreter: each thread runs the whole program for its row, and for the row as far on as all threads are many.
#pragma once
#include "gpu/elements.h"
#include "gpu/quotient/code.h"
#include "gpu/quotient/registers.h"

namespace zka::gpu {

// Few, so that what a block takes of shared memory leaves little of it unused.
constexpr uint32_t INTERPRET_THREADS = 64;

template <class F>
struct Interpret {
  static constexpr uint32_t THREADS_MAX = INTERPRET_THREADS;

  const DeviceInsn* code;
  uint32_t ncode;
  Place result;
  const F* values;
  const DeviceColumn* columns;
  RegisterHalf* spilled;  // of all threads of the grid
  uint64_t n, begin, end;  // rows: of a column, and those of this launch
  F* out;

  // No two threads touch the same register or the same row of `out`, so blocks continue without waiting.
  template <class Thread>
  ZKA_HD void operator()(Thread& thread) const {
    const Registers<F> near(thread.template shared<RegisterHalf>(), INTERPRET_THREADS, thread.thread());
    const Registers<F> far(spilled, thread.count(), thread.index());
    const uint64_t first = begin + uint64_t{thread.block()} * INTERPRET_THREADS;
    ZKA_ROLLED
    for (uint64_t of_block = first; of_block < end; of_block += thread.count()) {
      const Row row{near, far, of_block + thread.thread()};
      run(thread, row);
      if (row.number < end) out[row.number] = read(row, result).canonical();
    }
  }

 private:
  struct Row {
    const Registers<F>&near, &far;
    uint64_t number;
  };

  // Lanes keep together: all of them take the same instruction, which is fetched while the one before is carried out.
  template <class Thread>
  ZKA_HD void run(Thread& thread, const Row& row) const {
    DeviceInsn insn = code[0];
    ZKA_ROLLED
    for (uint32_t i = 1; i <= ncode; ++i) {
      const DeviceInsn next = i < ncode ? code[i] : insn;
      if (row.number < end) write(row, insn.to(), value_of(row, insn));
      thread.sync_warp();
      insn = next;
    }
  }

  ZKA_HD F value_of(const Row& row, const DeviceInsn& insn) const {
    const F a = read(row, insn.a);
    switch (insn.op()) {
      case ZKA_INSN_MOV: return a;
      case ZKA_INSN_SQR: return a.square();
      case ZKA_INSN_DBL: return a.dbl();
      case ZKA_INSN_NEG: return -a;
      default: break;
    }
    const F b = read(row, insn.b);
    switch (insn.op()) {
      case ZKA_INSN_ADD: return a + b;
      case ZKA_INSN_SUB: return a - b;
      default: break;
    }
    const F product = a * b;
    return insn.op() == ZKA_INSN_MUL ? product : product + read(row, insn.c);
  }

  ZKA_HD F read(const Row& row, Place place) const {
    switch (place.location()) {
      case Location::shared: return row.near.get(place.number());
      case Location::spilled: return row.far.get(place.number());
      case Location::value: return values[place.number()];
      default: return in_column(columns[place.number()], row.number);
    }
  }
  ZKA_HD F in_column(const DeviceColumn& column, uint64_t row) const {
    const uint64_t ahead = row + column.ahead;
    return of_field<F>(column.at)[ahead < n ? ahead : ahead - n];
  }
  ZKA_HD static void write(const Row& row, Place place, const F& value) {
    if (place.location() == Location::shared) return row.near.put(place.number(), value);
    row.far.put(place.number(), value);
  }
};

}  // namespace zka::gpu
