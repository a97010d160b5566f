// Contexts to test in: on the plug-in, where there is one next to the tests; else one for each set of instructions of this CPU,
// or the one that ZKA_CPU names.
#pragma once
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "core/plugin.h"
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

inline bool on_plugin() {
  // Also where a link to it leads nowhere: who runs the tests next to one means those of the plug-in.
  static const bool there = std::filesystem::exists(std::filesystem::symlink_status(plugin_path()));
  return there;
}

// Of the backend that is tested.
inline zka_config tested_config() {
  zka_config config = cpu_config();
  if (on_plugin()) config.backend = ZKA_BACKEND_CUDA;
  return config;
}

// Where buffers are, and what calls take in addition: memory of the device where there is one, else the host's.
struct Held {
  uint64_t bytes, bytes_peak;
};
inline Held held(const zka_ctx* ctx) {
  zka_memory used{};
  REQUIRE(zka_memory_used(ctx, &used) == ZKA_OK);
  return on_plugin() ? Held{used.device_bytes, used.device_bytes_peak} : Held{used.host_bytes, used.host_bytes_peak};
}
// And what calls return where there is not enough of it.
inline zka_status out_of_memory() { return on_plugin() ? ZKA_E_OOM_DEVICE : ZKA_E_OOM_HOST; }

// A context that is destroyed with it.
class TestContext {
 public:
  explicit TestContext(const zka_config& config = tested_config()) {
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

// check(context) in a context of each set of instructions, with 1, 2 and 7 threads, or in the plug-in's.
template <class Check>
void in_each_context(const Check& check) {
  if (on_plugin()) return check(TestContext());
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
