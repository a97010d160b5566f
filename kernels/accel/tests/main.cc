// The tests' entry. With ZKA_CPU they run for one set of instructions, and not at all where the CPU lacks it.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

#include "core/failure.h"
#include "cpu/features.h"
#include "zkaccel/context.h"

namespace {

// As automake has it: nothing was tested, and nothing is wrong.
constexpr int SKIPPED = 77;

}  // namespace

int main(int argc, char** argv) {
  try {
    zka::cpu::choose_isa(ZKA_ISA_AUTO);
  } catch (const zka::Failure& failure) {
    std::printf("%s\n", failure.what());
    return failure.status() == ZKA_E_UNSUPPORTED ? SKIPPED : 1;
  }
  return doctest::Context(argc, argv).run();
}
