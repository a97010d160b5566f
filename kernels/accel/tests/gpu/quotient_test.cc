#include "gpu/quotient/operations.h"

#include <span>

#include "gpu/emulated.h"
#include "quotient/programs.h"
#include "reference/quotient.h"

using namespace zka;
using namespace zka::test;
using gpu::DeviceArray;
using gpu::Location;

namespace {

// A device with so much memory (0: enough), on which programs are evaluated within other limits.
struct Evaluator {
  explicit Evaluator(const gpu::QuotientLimits& limits, uint64_t bytes = 0)
      : machine{memory, gpu::Device(with_memory(bytes))}, operations(gpu::quotient_operations(machine, limits)) {}

  Memory memory{0};
  gpu::Machine machine;
  const Cancel never;
  gpu::DeviceQueue queue{machine.device, never};
  std::unique_ptr<QuotientOperations> operations;
  uint64_t device_bytes = 0;  // that the last evaluation took

  // In Montgomery form. Checks that it takes what it said beforehand.
  std::vector<zka_fe> of(const TestProgram& program, const Columns& columns, const std::vector<zka_fe>& challenges,
                         uint64_t scale, std::vector<zka_fe> out) {
    const auto prepared = operations->program(program.desc());
    std::vector<DeviceArray<zka_fe>> there;
    std::vector<const zka_fe*> at;
    for (const auto& column : columns) {
      there.push_back(gpu::uploaded(queue, std::span<const zka_fe>(column)));
      at.push_back(there.back().data());
    }
    const auto out_there = gpu::uploaded(queue, std::span<const zka_fe>(out));
    const uint64_t before = machine.device.bytes(), host_before = memory.bytes();
    const Bytes predicted = operations->evaluate_bytes(*prepared, out.size());
    memory.reset_peak();
    operations->evaluate(queue, *prepared, at, challenges, scale, out.size(), out_there.data());
    CHECK(machine.device.bytes_peak() == before + predicted.device);
    CHECK(memory.bytes_peak() == host_before + predicted.host);
    CHECK(machine.device.bytes() == before);
    device_bytes = predicted.device;
    queue.download(out.data(), out_there.data(), out.size() * sizeof(zka_fe));
    queue.sync();
    return out;
  }
};

// Contents at random, and what the twin makes of them.
struct Example {
  Example(Random& random, const TestProgram& of, size_t n, uint64_t row_scale)
      : program(of), scale(row_scale), challenges(random.elements(of.field, of.nchallenges)),
        out(random.elements(of.field, n)), expected(out) {
    for (uint32_t i = 0; i < of.ncolumns; ++i) columns.push_back(random.elements(of.field, n));
    reference::evaluate_quotient(of.desc(), columns, challenges, scale, expected);
  }

  std::vector<zka_fe> by(Evaluator& evaluator) const {
    return evaluator.of(program, columns, challenges, scale, out);
  }

  TestProgram program;
  uint64_t scale;
  Columns columns;
  std::vector<zka_fe> challenges, out, expected;
};

}  // namespace

TEST_CASE("with registers in shared memory or spilled, in one launch or several, a program gives the same") {
  Random random(1);
  for (size_t i = 0; i < up_to(300, 60); ++i) {
    const size_t n = 8 + random.word() % 500;
    const Example example(random, random_program(random, FIELDS[i % 2]), n, 1 + random.word() % 2);
    for (const gpu::QuotientLimits& limits : {gpu::QuotientLimits{0, 1000, 1}, gpu::QuotientLimits{1, 1000, 3},
                                              gpu::QuotientLimits{2, 150, 2}, gpu::QuotientLimits{16, 64, 1}}) {
      INFO("in shared ", limits.in_shared, ", rows ", limits.rows, " of ", n);
      Evaluator evaluator(limits);
      CHECK(example.by(evaluator) == example.expected);
    }
  }
}

TEST_CASE("where memory is short a program that spills runs on fewer threads, and takes less") {
  Random random(2);
  const size_t n = 700;
  const Example example(random, wide_program(40), n, 1);
  Evaluator with_all({});
  CHECK(example.by(with_all) == example.expected);
  uint64_t last = with_all.device_bytes;
  const uint64_t held = with_all.machine.device.bytes_peak() - last;
  const uint64_t of_a_block = gpu::INTERPRET_THREADS * (40 - gpu::QuotientLimits().in_shared) * sizeof(zka_fe);
  CHECK(last > 11 * of_a_block);
  const uint64_t least = last - 10 * of_a_block;
  for (const uint64_t bytes : {last - 1, least + 3 * of_a_block - 1, least}) {
    INFO("bytes ", bytes);
    Evaluator with_less({}, held + bytes);
    CHECK(example.by(with_less) == example.expected);
    CHECK(with_less.device_bytes < last);
    last = with_less.device_bytes;
  }
  CHECK(last == least);
  Evaluator too_small({}, held + least - 1);
  CHECK_THROWS_AS(example.by(too_small), Failure);
}

// Blocks run side by side on a device, and one after the other in the emulation: there none would see another's writes.
TEST_CASE("each thread of a grid has separate spilled registers") {
  constexpr uint32_t BLOCKS = 3, REGISTERS = 4;
  const uint64_t n = uint64_t{BLOCKS} * gpu::INTERPRET_THREADS;
  const TestProgram program = wide_program(REGISTERS);
  Memory memory(0);
  const gpu::DeviceCode code = gpu::encode(memory, program.desc(), 0);
  Emulated emulated;
  const auto insns = gpu::uploaded(emulated.queue, code.insns.span());
  const auto rows = gpu::uploaded(emulated.queue, std::span<const zka_fe>(Random(3).elements(program.field, n)));
  const std::vector<gpu::DeviceColumn> columns(code.columns.size(), {rows.data(), 0});
  const auto columns_there = gpu::uploaded(emulated.queue, std::span<const gpu::DeviceColumn>(columns));
  const DeviceArray<gpu::Fr> out(emulated.queue, n);
  const DeviceArray<gpu::RegisterHalf> spilled(emulated.queue, 2 * n * REGISTERS);
  const auto before = emulated.read(spilled);
  gpu::Interpret<gpu::Fr> interpret{};
  interpret.code = insns.data();
  interpret.ncode = static_cast<uint32_t>(insns.size());
  interpret.result = code.result;
  interpret.columns = columns_there.data();
  interpret.spilled = spilled.data();
  interpret.n = interpret.end = n;
  interpret.out = out.data();
  gpu::launch(emulated.queue, {.blocks = BLOCKS, .threads = gpu::INTERPRET_THREADS}, interpret);
  const auto after = emulated.read(spilled);
  size_t written = 0;
  for (size_t i = 0; i < after.size(); ++i) written += !std::equal(after[i].w, after[i].w + 4, before[i].w);
  CHECK(written == after.size());
}

TEST_CASE("registers that are used most are the ones in shared memory") {
  Memory memory(0);
  TestProgram program;
  program.nregisters = 3;
  program.code = {{ZKA_INSN_SQR, 2, previous(), {}, {}},
                  {ZKA_INSN_SQR, 1, column(3, -1), {}, {}},
                  {ZKA_INSN_MULADD, 1, reg(1), reg(1), constant(0)},
                  {ZKA_INSN_ADD, 0, reg(2), reg(1), {}}};
  const gpu::DeviceCode code = gpu::encode(memory, program.desc(), 1);
  CHECK(code.insns[1].to().location() == Location::shared);
  CHECK(code.insns[2].b.location() == Location::shared);
  CHECK(code.insns[0].to().location() == Location::spilled);
  CHECK(code.result.location() == Location::spilled);
  CHECK(code.result.number() != code.insns[0].to().number());
}

TEST_CASE("what a program reads other than registers is once in its tables") {
  Memory memory(0);
  TestProgram program;
  program.code = {{ZKA_INSN_MULADD, 0, column(1), column(1, 1), previous()},
                  {ZKA_INSN_MULADD, 0, column(1, 1), challenge(0), constant(0)},
                  {ZKA_INSN_MULADD, 0, challenge(0), previous(), reg(0)}};
  const gpu::DeviceCode code = gpu::encode(memory, program.desc(), 16);
  CHECK(code.columns.size() == 3);
  CHECK(code.values.size() == 2);
  CHECK(code.insns[0].b.number() == code.insns[1].a.number());
  CHECK(code.insns[1].b.number() == code.insns[2].a.number());
  CHECK(code.insns[1].b.location() == Location::value);
}
