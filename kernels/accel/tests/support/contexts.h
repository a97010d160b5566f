// Contexts to test in: one for each set of instructions of this CPU, or the one that ZKA_CPU names.
#pragma once
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "cpu/features.h"
#include "zkaccel.h"

namespace zka::test {

inline zka_config cpu_config(uint32_t isa = ZKA_ISA_AUTO, uint32_t threads = 0) {
  zka_config config{};
  config.abi_version = ZKA_ABI_VERSION;
  config.backend = ZKA_BACKEND_CPU;
  config.isa = isa;
  config.threads = threads;
  return config;
}

// A context of its own, ended with it.
class TestContext {
 public:
  explicit TestContext(const zka_config& config = cpu_config()) {
    const zka_status status = zka_ctx_create(&config, &ctx_);
    INFO(std::string(zka_last_error(nullptr)));
    REQUIRE(status == ZKA_OK);
  }
  ~TestContext() { zka_ctx_destroy(ctx_); }
  TestContext(const TestContext&) = delete;
  TestContext& operator=(const TestContext&) = delete;
  operator zka_ctx*() const noexcept { return ctx_; }

  std::string last_error() const { return zka_last_error(ctx_); }
  zka_memory memory() const {
    zka_memory used{};
    REQUIRE(zka_memory_used(ctx_, &used) == ZKA_OK);
    return used;
  }

 private:
  zka_ctx* ctx_ = nullptr;
};

inline std::vector<uint32_t> isas() {
  if (const char* named = std::getenv("ZKA_CPU"); named != nullptr && *named != '\0') return {ZKA_ISA_AUTO};
  std::vector<uint32_t> all = {ZKA_ISA_PORTABLE};
  if (cpu::has(Isa::adx)) all.push_back(ZKA_ISA_ADX);
  if (cpu::has(Isa::ifma)) all.push_back(ZKA_ISA_IFMA);
  return all;
}

// check(context) in a context of each set of instructions, with 1, 2 and 7 threads.
template <class Check>
void in_each_context(const Check& check) {
  for (const uint32_t isa : isas()) {
    for (const uint32_t threads : {1u, 2u, 7u}) {
      INFO("isa ", isa, ", threads ", threads);
      const TestContext context(cpu_config(isa, threads));
      check(context);
    }
  }
}

// Sizes that tests go up to: with ZKA_TEST_SMALL set, as under sanitizers, the smaller one.
inline size_t up_to(size_t size, size_t small) { return std::getenv("ZKA_TEST_SMALL") == nullptr ? size : small; }

}  // namespace zka::test
