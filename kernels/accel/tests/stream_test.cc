#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "support/allocations.h"
#include "support/buffers.h"
#include "support/streams.h"

using namespace zka::test;

TEST_CASE("a stream records the first failure of its operations until it is synced") {
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

TEST_CASE("an operation that finds no memory is a failure of its stream, whoever allocates") {
  const TestContext context;
  const size_t n = 10'000;
  const TestBuffer buf(context, ZKA_FIELD_BN254_FR, n);
  const TestStream stream(context);
  const zka_buf* const polynomial = buf;
  const zka_fe point = fe(3);
  zka_fe value{};
  int failures = 0;
  // Takes memory of the host's whatever computes it.
  each_allocation_fails_once(context, [&] {
    const zka_status status = zka_poly_eval(&polynomial, 1, &point, 1, &value, stream);
    CHECK(zka_stream_sync(stream) == status);
    failures += status != ZKA_OK;
    return status;
  });
  CHECK(failures >= (on_plugin() ? 1 : 2));  // of the context's memory, and of the CPU's pool's own
}

TEST_CASE("records a rejected argument as a failure of the stream, before later failures") {
  const TestContext context;
  const TestBuffer buf(context, ZKA_FIELD_BN254_FR, 2);
  const TestStream stream(context), other(context);
  const zka_fe good = fe(1), bad = below(ZKA_FIELD_BN254_FR, 0);
  CHECK(zka_buf_write(buf, 2, &good, 1, ZKA_FORM_CANONICAL, stream) == ZKA_E_SIZE);
  CHECK(zka_buf_write(buf, 0, &bad, 1, ZKA_FORM_CANONICAL, stream) == ZKA_E_NON_CANONICAL);
  CHECK(zka_stream_sync(other) == ZKA_OK);
  CHECK(zka_stream_sync(stream) == ZKA_E_SIZE);
  CHECK(context.last_error() == "buf has 2 elements, not the 1 from 2 on");
  CHECK(zka_stream_sync(stream) == ZKA_OK);
}

TEST_CASE("a stream keeps that a call's buffer or number is none, and one of another context keeps that it was named") {
  const TestContext context, elsewhere;
  const TestBuffer buf(context, ZKA_FIELD_BN254_FR, 2);
  const TestStream stream(context), foreign(elsewhere);
  const zka_fe good = fe(1);
  CHECK(zka_buf_write(nullptr, 0, &good, 1, ZKA_FORM_CANONICAL, stream) == ZKA_E_INVALID_ARG);
  CHECK(zka_stream_sync(stream) == ZKA_E_INVALID_ARG);
  CHECK(zka_vector_op_apply(static_cast<zka_vector_op>(9), buf, buf, buf, 2, stream) == ZKA_E_INVALID_ARG);
  CHECK(zka_stream_sync(stream) == ZKA_E_INVALID_ARG);
  CHECK(zka_buf_write(buf, 0, &good, 1, ZKA_FORM_CANONICAL, foreign) == ZKA_E_INVALID_ARG);
  CHECK(zka_stream_sync(foreign) == ZKA_E_INVALID_ARG);
  CHECK(zka_stream_sync(stream) == ZKA_OK);
}

TEST_CASE("what a call reads of the caller's memory it has read when it returns, on a stream too") {
  const TestContext context;
  const size_t n = 100;
  const TestBuffer written(context, ZKA_FIELD_BN254_FR, n), powers(context, ZKA_FIELD_BN254_FR, n);
  const TestBuffer scaled(context, ZKA_FIELD_BN254_FR, n), z(context, ZKA_FIELD_BN254_FR, n + 1);
  const zka_fe three = TestBuffer(context, ZKA_FIELD_BN254_FR, {fe(3)}).read(ZKA_FORM_MONTGOMERY)[0];
  const TestStream stream(context);
  void* memory = nullptr;
  REQUIRE(zka_host_alloc(context, n * sizeof(zka_fe), &memory) == ZKA_OK);
  auto* const pinned = static_cast<zka_fe*>(memory);
  std::fill_n(pinned, n, three);
  CHECK(zka_buf_write(written, 0, pinned, n, ZKA_FORM_MONTGOMERY, stream) == ZKA_OK);
  std::fill_n(pinned, n, fe(0));
  std::vector<zka_fe> ordinary(n, three);
  CHECK(zka_buf_write(z, 1, ordinary.data(), n, ZKA_FORM_MONTGOMERY, stream) == ZKA_OK);
  pinned[0] = pinned[1] = three;
  CHECK(zka_vector_powers(&pinned[0], &pinned[1], powers, n, stream) == ZKA_OK);
  CHECK(zka_vector_scale_add(&pinned[0], written, nullptr, scaled, n, stream) == ZKA_OK);
  CHECK(zka_grand_product(written, written, &pinned[0], n, z, stream) == ZKA_OK);
  pinned[0] = pinned[1] = fe(0);
  CHECK(zka_stream_sync(stream) == ZKA_OK);
  CHECK(written.read() == std::vector<zka_fe>(n, fe(3)));
  CHECK(powers.read()[2] == fe(27));
  CHECK(scaled.read() == std::vector<zka_fe>(n, fe(9)));
  CHECK(z.read() == std::vector<zka_fe>(n + 1, fe(3)));
}

TEST_CASE("a cancelled stream accepts nothing until it is synced, and other streams continue") {
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

TEST_CASE("a stream that was cancelled with nothing under way reports no failure") {
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
