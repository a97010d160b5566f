#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "support/buffers.h"

using namespace zka::test;

namespace {

class TestStream {
 public:
  explicit TestStream(zka_ctx* ctx) { REQUIRE(zka_stream_create(ctx, &stream_) == ZKA_OK); }
  ~TestStream() { zka_stream_destroy(stream_); }
  operator zka_stream*() const noexcept { return stream_; }

 private:
  zka_stream* stream_ = nullptr;
};

}  // namespace

TEST_CASE("a stream keeps the first failure of its operations until it is synced") {
  const TestContext context;
  const TestBuffer buf(context, ZKA_FIELD_BN254_FR, 2);
  const TestStream stream(context);
  const zka_fe good = fe(1), bad = below(ZKA_FIELD_BN254_FR, 0);
  CHECK(zka_stream_sync(stream) == ZKA_OK);
  CHECK(zka_buf_write(buf, 1, &bad, 1, ZKA_FORM_CANONICAL, stream) == ZKA_E_NON_CANONICAL);
  CHECK(zka_buf_write(buf, 0, &good, 1, ZKA_FORM_CANONICAL, stream) == ZKA_OK);
  CHECK(zka_stream_sync(stream) == ZKA_E_NON_CANONICAL);
  CHECK(context.last_error() == "element 0 is not below the modulus");
  CHECK(zka_stream_sync(stream) == ZKA_OK);
}

TEST_CASE("an argument that is refused is no failure of the stream") {
  const TestContext context;
  const TestBuffer buf(context, ZKA_FIELD_BN254_FR, 2);
  const TestStream stream(context);
  const zka_fe good = fe(1);
  CHECK(zka_buf_write(buf, 2, &good, 1, ZKA_FORM_CANONICAL, stream) == ZKA_E_SIZE);
  CHECK(zka_stream_sync(stream) == ZKA_OK);
}

TEST_CASE("a cancelled stream takes nothing until it is synced, and other streams go on") {
  const TestContext context;
  const TestBuffer buf(context, ZKA_FIELD_BN254_FR, 2);
  const TestStream stream(context), other(context);
  const zka_fe two = fe(2);
  CHECK(zka_stream_cancel(stream) == ZKA_OK);
  CHECK(zka_vector_powers(&two, &two, buf, 2, stream) == ZKA_E_CANCELLED);
  CHECK(zka_vector_powers(&two, &two, buf, 2, other) == ZKA_OK);
  CHECK(zka_vector_powers(&two, &two, buf, 2, nullptr) == ZKA_OK);
  CHECK(zka_stream_sync(stream) == ZKA_E_CANCELLED);
  CHECK(zka_vector_powers(&two, &two, buf, 2, stream) == ZKA_OK);
  CHECK(zka_stream_sync(stream) == ZKA_OK);
}

TEST_CASE("a stream that was cancelled with nothing under way has no failure to tell") {
  const TestContext context;
  const TestStream stream(context);
  CHECK(zka_stream_cancel(stream) == ZKA_OK);
  CHECK(zka_stream_sync(stream) == ZKA_OK);
}

TEST_CASE("another thread cancels a stream that is at work") {
  const TestContext context;
  const TestBuffer buf(context, ZKA_FIELD_BN254_FR, up_to(1 << 16, 1 << 13));
  const TestStream stream(context);
  std::atomic<int> done{0};
  zka_status ended = ZKA_OK;
  std::thread working([&] {
    const zka_fe two = fe(2);
    while ((ended = zka_vector_powers(&two, &two, buf, zka_buf_len(buf), stream)) == ZKA_OK) ++done;
  });
  while (done < 2) std::this_thread::yield();
  CHECK(zka_stream_cancel(stream) == ZKA_OK);
  working.join();
  CHECK(ended == ZKA_E_CANCELLED);
  CHECK(zka_stream_sync(stream) == ZKA_E_CANCELLED);
}

TEST_CASE("a context that is destroyed ends what its streams are at") {
  const zka_config config = tested_config();
  zka_ctx* ctx = nullptr;
  REQUIRE(zka_ctx_create(&config, &ctx) == ZKA_OK);
  zka_buf* buf = nullptr;
  zka_stream* stream = nullptr;
  REQUIRE(zka_buf_alloc(ctx, ZKA_FIELD_BN254_FR, 1 << 13, &buf) == ZKA_OK);
  REQUIRE(zka_stream_create(ctx, &stream) == ZKA_OK);
  std::atomic<int> done{0};
  zka_status ended = ZKA_OK;
  std::thread working([&] {
    const zka_fe two = fe(2);
    while ((ended = zka_vector_powers(&two, &two, buf, 1 << 13, stream)) == ZKA_OK) ++done;
  });
  while (done < 2) std::this_thread::yield();
  zka_ctx_destroy(ctx);
  working.join();
  // In the middle of a call, or between two.
  CHECK((ended == ZKA_E_CANCELLED || ended == ZKA_E_INVALID_ARG));
}
