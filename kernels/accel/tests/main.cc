// The tests' entry. With ZKA_CPU they run for one set of instructions, and not at all where the CPU lacks it. Where a
// plug-in is next to them, the tests of what it does run on it, and not at all where it finds no device.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

#include "core/failure.h"
#include "support/contexts.h"

namespace {

// As automake has it: nothing was tested, and nothing is wrong.
constexpr int SKIPPED = 77;

// By their files: what is of the library or of the CPU alone, and what looks into the emulated device.
constexpr const char* NOT_OF_PLUGINS = "*/context_test.cc,*/example_test.cc,*/field_test.cc,*/header_test.cc,"
                                       "*/ifma52_test.cc,*/many_handles_test.cc,*/memory_test.cc,*/plugin_test.cc,*/pool_test.cc,"
                                       "*/radix_sort_test.cc,*/status_test.cc,*/tests/gpu/*";

// Throws what keeps them from running; UNSUPPORTED where nothing is wrong.
void need_machine() {
  if (!zka::test::on_plugin()) {
    zka::cpu::choose_isa(ZKA_ISA_AUTO);
    return;
  }
  const zka_config config = zka::test::tested_config();
  zka_ctx* ctx = nullptr;
  const zka_status status = zka_ctx_create(&config, &ctx);
  zka_ctx_destroy(ctx);
  if (status == ZKA_OK) return;
  const bool no_device = status == ZKA_E_NO_DEVICE || status == ZKA_E_DRIVER;
  throw zka::Failure(no_device ? ZKA_E_UNSUPPORTED : status, zka_last_error(nullptr));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    need_machine();
  } catch (const zka::Failure& failure) {
    std::printf("%s\n", failure.what());
    return failure.status() == ZKA_E_UNSUPPORTED ? SKIPPED : 1;
  }
  doctest::Context tests;
  if (zka::test::on_plugin()) tests.addFilter("source-file-exclude", NOT_OF_PLUGINS);
  tests.applyCommandLine(argc, argv);
  return tests.run();
}
