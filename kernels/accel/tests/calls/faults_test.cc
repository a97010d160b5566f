#include <string>

#include "calls/calls.h"
#include "support/allocations.h"
#include "support/streams.h"

using namespace zka::test;

namespace {

// Small, where work is one thread's; and of several pieces, shared among threads.
constexpr unsigned LOG_SIZES[] = {3, 13};

// What a call does to a scene that was filled.
std::vector<uint64_t> result_of(const Call& call, Scene& scene, zka_stream* stream = nullptr) {
  scene.fill();
  CHECK(call.run(scene, stream) == ZKA_OK);
  return scene.contents();
}

}  // namespace

TEST_CASE("each call that finds no memory, at any allocation, says so, keeps nothing, and does its work the next time") {
  const TestContext context(cpu_config(ZKA_ISA_AUTO, 2));
  for (const unsigned log_n : LOG_SIZES) {
    Scene scene(context, log_n);
    for (const Call& call : calls()) {
      if (call.has(TELLS)) continue;
      INFO(call.name, " of 2^", log_n);
      const auto expected = result_of(call, scene);
      each_allocation_fails_once(context, [&] { return call.run(scene, nullptr); });
      CHECK(result_of(call, scene) == expected);
    }
  }
}

TEST_CASE("each call needs exactly the memory that it said: with one byte less it is refused, and the context works on") {
  for (const unsigned log_n : LOG_SIZES) {
    for (const Call& call : calls()) {
      if (call.needs == nullptr) continue;
      INFO(call.name, " of 2^", log_n);
      uint64_t host = 0, device = 1, held = 0;
      std::vector<uint64_t> expected;
      {
        const TestContext context(cpu_config(ZKA_ISA_AUTO, 2));
        Scene scene(context, log_n);
        REQUIRE(call.needs(scene, &host, &device) == ZKA_OK);
        CHECK(device == 0);
        held = context.memory().host_bytes;
        expected = result_of(call, scene);
      }
      if (host == 0) continue;
      zka_config config = cpu_config(ZKA_ISA_AUTO, 2);
      config.host_bytes_max = held + host;
      {
        const TestContext enough(config);
        Scene scene(enough, log_n);
        CHECK(result_of(call, scene) == expected);
      }
      --config.host_bytes_max;
      const TestContext too_small(config);
      Scene scene(too_small, log_n);
      CHECK(call.run(scene, nullptr) == ZKA_E_OOM_HOST);
      CHECK(too_small.last_error().find("beyond the limit of " + std::to_string(config.host_bytes_max)) !=
            std::string::npos);
      CHECK(too_small.memory().host_bytes == held);
      CHECK(zka_vector_op_apply(ZKA_OP_ADD, scene.a(), scene.b(), scene.a(), scene.n, nullptr) == ZKA_OK);
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
