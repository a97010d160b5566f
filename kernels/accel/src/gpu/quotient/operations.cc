#include "gpu/quotient/operations.h"

#include <algorithm>

#include "gpu/device/array.h"
#include "gpu/grid/launch.h"

namespace zka::gpu {
namespace {

struct DeviceProgram : Prepared {
  DeviceProgram(DeviceQueue& queue, Memory& memory, const zka_program_desc& desc, uint32_t in_shared)
      : DeviceProgram(queue, memory, desc, encode(memory, desc, in_shared)) {}

  DeviceArray<DeviceInsn> code;
  Array<zka_operand> values, columns;
  Array<zka_fe> consts;
  Place result;
  uint32_t nregisters;
  zka_field field;

 private:
  DeviceProgram(DeviceQueue& queue, Memory& memory, const zka_program_desc& desc, DeviceCode encoded)
      : code(queue.device(), encoded.insns.size()),
        values(std::move(encoded.values)),
        columns(std::move(encoded.columns)),
        consts(memory, desc.nconsts),
        result(encoded.result),
        nregisters(desc.nregisters),
        field(static_cast<zka_field>(desc.field)) {
    std::copy_n(desc.consts, desc.nconsts, consts.data());
    queue.upload(code.data(), encoded.insns.data(), encoded.insns.span().size_bytes());
    queue.sync();
  }
};

// What an evaluation hands to the program, as the host makes it.
Array<zka_fe> values_of(Memory& memory, const DeviceProgram& program, std::span<const zka_fe> challenges) {
  Array<zka_fe> values(memory, program.values.size());
  for (uint64_t i = 0; i < values.size(); ++i) {
    const zka_operand& operand = program.values[i];
    values[i] = operand.source == ZKA_SRC_CONST ? program.consts[operand.index] : challenges[operand.index];
  }
  return values;
}

// |rotation * scale| is below n.
uint64_t rows_ahead(int32_t rotation, uint64_t scale, uint64_t n) {
  const uint64_t distance = static_cast<uint64_t>(rotation < 0 ? -int64_t{rotation} : int64_t{rotation}) * scale;
  return rotation < 0 && distance != 0 ? n - distance : distance;
}

Array<DeviceColumn> columns_of(Memory& memory, const DeviceProgram& program, std::span<const zka_fe* const> columns,
                               uint64_t rotation_scale, uint64_t n, const zka_fe* out) {
  Array<DeviceColumn> all(memory, program.columns.size());
  for (uint64_t i = 0; i < all.size(); ++i) {
    const zka_operand& operand = program.columns[i];
    all[i] = operand.source == ZKA_SRC_PREVIOUS
                 ? DeviceColumn{out, 0}
                 : DeviceColumn{columns[operand.index], rows_ahead(operand.rotation, rotation_scale, n)};
  }
  return all;
}

// Of both, on the host and again on the device.
uint64_t table_bytes(const DeviceProgram& program) {
  return Memory::counted(program.values.size(), sizeof(zka_fe)) +
         Memory::counted(program.columns.size(), sizeof(DeviceColumn));
}

class DeviceQuotient : public QuotientOperations {
 public:
  DeviceQuotient(Machine& machine, const QuotientLimits& limits) : machine_(machine), limits_(limits) {}

  std::unique_ptr<Prepared> program(const zka_program_desc& desc) override {
    const Cancel never;
    DeviceQueue queue(machine_.device, never);
    return std::make_unique<DeviceProgram>(queue, machine_.memory, desc, limits_.in_shared);
  }

  void evaluate(Queue& queue, const Prepared& prepared, std::span<const zka_fe* const> columns,
                std::span<const zka_fe> challenges, uint64_t rotation_scale, size_t n, zka_fe* out) override {
    if (n == 0) return;
    DeviceQueue& on = on_device(queue);
    const auto& program = static_cast<const DeviceProgram&>(prepared);
    const QuotientPlan each = plan(program, n);
    const Array<zka_fe> values = values_of(machine_.memory, program, challenges);
    const Array<DeviceColumn> at = columns_of(machine_.memory, program, columns, rotation_scale, n, out);
    const auto values_there = uploaded(on, values.span());
    const auto columns_there = uploaded(on, at.span());
    const DeviceArray<zka_fe> spilled(on, each.spilled_elements());
    in_field(program.field, [&]<class F>(std::type_identity<F>) {
      Interpret<F> interpret{};
      interpret.code = program.code.data();
      interpret.ncode = static_cast<uint32_t>(program.code.size());
      interpret.result = program.result;
      interpret.values = of_field<F>(values_there.data());
      interpret.columns = columns_there.data();
      interpret.spilled = reinterpret_cast<RegisterHalf*>(spilled.data());
      interpret.n = n;
      interpret.out = of_field<F>(out);
      while (interpret.end < n) {
        interpret.begin = interpret.end;
        interpret.end += std::min(each.rows, n - interpret.begin);
        launch(on,
               {.blocks = each.blocks_for(interpret.end - interpret.begin),
                .threads = INTERPRET_THREADS,
                .shared_bytes = each.shared_bytes()},
               interpret);
      }
    });
  }

  Bytes evaluate_bytes(const Prepared& prepared, size_t n) override {
    if (n == 0) return {};
    const auto& program = static_cast<const DeviceProgram&>(prepared);
    const uint64_t tables = table_bytes(program);
    return {tables, tables + DeviceArray<zka_fe>::bytes(plan(program, n).spilled_elements())};
  }

 private:
  // Within what the device has left now.
  QuotientPlan plan(const DeviceProgram& program, size_t n) const {
    const uint64_t left = machine_.device.bytes_left(), tables = table_bytes(program);
    return plan_quotient(limits_, program.nregisters, n, left < tables ? 0 : left - tables);
  }

  Machine& machine_;
  QuotientLimits limits_;
};

}  // namespace

std::unique_ptr<QuotientOperations> quotient_operations(Machine& machine, const QuotientLimits& limits) {
  return std::make_unique<DeviceQuotient>(machine, limits);
}

}  // namespace zka::gpu
