#include <array>
#include <string>

#include "calls/calls.h"
#include "support/allocations.h"
#include "support/streams.h"

using namespace zka::test;

namespace {

zka_config two_threads() {
  zka_config config = tested_config();
  config.threads = 2;
  return config;
}

// Small, where work is one thread's, or one block's; and of several pieces, shared among threads, or blocks.
std::array<unsigned, 2> log_sizes() { return {3, on_plugin() ? 11u : 13u}; }

// What a context may take of one kind of memory, what it has of that, what calls return beyond it, and a call that
// takes that many bytes of it or a few more, until the context ends.
struct Limit {
  uint64_t zka_config::* bytes_max;
  uint64_t zka_memory::* bytes;
  uint64_t zka_memory::* bytes_peak;
  zka_status refused;
  zka_status (*take)(zka_ctx*, uint64_t bytes);
};
constexpr Limit HOST = {&zka_config::host_bytes_max, &zka_memory::host_bytes, &zka_memory::host_bytes_peak,
                        ZKA_E_OOM_HOST, [](zka_ctx* ctx, uint64_t bytes) {
                          void* memory = nullptr;
                          return zka_host_alloc(ctx, bytes, &memory);
                        }};
constexpr Limit DEVICE = {&zka_config::device_bytes_max, &zka_memory::device_bytes, &zka_memory::device_bytes_peak,
                          ZKA_E_OOM_DEVICE, [](zka_ctx* ctx, uint64_t bytes) {
                            zka_buf* buf = nullptr;
                            return zka_buf_alloc(ctx, ZKA_FIELD_BN254_FR, bytes / sizeof(zka_fe) + 1, &buf);
                          }};

// What a call does to a scene that was filled.
std::vector<uint64_t> result_of(const Call& call, Scene& scene, zka_stream* stream = nullptr) {
  scene.fill();
  CHECK(call.run(scene, stream) == ZKA_OK);
  if (stream != nullptr) CHECK(zka_stream_sync(stream) == ZKA_OK);
  return scene.contents();
}

// Of a call that needs so many bytes of one kind of memory: with all of them, and with one byte less.
void check_limit(const Call& call, unsigned log_n, const std::vector<uint64_t>& expected, const Limit& limit,
                 uint64_t needed) {
  zka_config config = two_threads();
  // Ballast brings a context to the most that making its scene took, so that what comes on top of that is the call's.
  uint64_t ballast = 0, held = 0;
  {
    const TestContext context(config);
    const Scene scene(context, log_n);
    const zka_memory now = context.memory();
    ballast = now.*limit.bytes_peak - now.*limit.bytes;
    REQUIRE(limit.take(context, ballast) == ZKA_OK);
    held = context.memory().*limit.bytes;
  }
  const auto in_context_of = [&](uint64_t bytes_max, const auto& check) {
    config.*limit.bytes_max = bytes_max;
    const TestContext context(config);
    Scene scene(context, log_n);
    REQUIRE(limit.take(context, ballast) == ZKA_OK);
    check(context, scene);
    CHECK(context.memory().*limit.bytes == held);
    CHECK(zka_vector_op_apply(ZKA_OP_ADD, scene.a(), scene.b(), scene.a(), scene.n, nullptr) == ZKA_OK);
  };
  in_context_of(held + needed, [&](const TestContext&, Scene& scene) {
    CHECK(call.run(scene, nullptr) == ZKA_OK);
    CHECK(scene.contents() == expected);
  });
  in_context_of(held + needed - 1, [&](const TestContext& context, Scene& scene) {
    const zka_status status = call.run(scene, nullptr);
    if (on_plugin() && call.has(ADAPTS) && status == ZKA_OK) return;
    CHECK(status == limit.refused);
    const std::string words = "beyond the limit of " + std::to_string(held + needed - 1);
    CHECK(context.last_error().find(words) != std::string::npos);
  });
}

}  // namespace

TEST_CASE("each call whose allocation fails, whichever it is, reports it, leaks nothing, and succeeds the next time") {
  const TestContext context(two_threads());
  for (const unsigned log_n : log_sizes()) {
    Scene scene(context, log_n);
    for (const Call& call : calls()) {
      if (call.has(REPORTS)) continue;
      INFO(call.name, " of 2^", log_n);
      const auto expected = result_of(call, scene);
      each_allocation_fails_once(context, [&] { return call.run(scene, nullptr); });
      CHECK(result_of(call, scene) == expected);
    }
  }
}

TEST_CASE("each call needs exactly the predicted memory: with one byte less it fails, and the context remains usable") {
  for (const unsigned log_n : log_sizes()) {
    for (const Call& call : calls()) {
      if (call.needs == nullptr) continue;
      INFO(call.name, " of 2^", log_n);
      uint64_t host = 0, device = 1;
      std::vector<uint64_t> expected;
      {
        const TestContext context(two_threads());
        Scene scene(context, log_n);
        REQUIRE(call.needs(scene, &host, &device) == ZKA_OK);
        expected = result_of(call, scene);
      }
      if (!on_plugin()) CHECK(device == 0);
      if (host != 0) check_limit(call, log_n, expected, HOST, host);
      if (device != 0) check_limit(call, log_n, expected, DEVICE, device);
    }
  }
}

TEST_CASE("a call on a cancelled stream does nothing, and after the sync it does its work") {
  const TestContext context;
  Scene scene(context, 3);
  const TestStream stream(context);
  for (const Call& call : calls()) {
    if (!call.has(ON_STREAM)) continue;
    INFO(call.name);
    const auto expected = result_of(call, scene);
    scene.fill();
    const auto before = scene.contents();
    REQUIRE(zka_stream_cancel(stream) == ZKA_OK);
    CHECK(call.run(scene, stream) == ZKA_E_CANCELLED);
    CHECK(context.last_error() == "the stream was cancelled");
    CHECK(scene.contents() == before);
    CHECK(zka_stream_sync(stream) == ZKA_E_CANCELLED);
    CHECK(result_of(call, scene, stream) == expected);
  }
}
