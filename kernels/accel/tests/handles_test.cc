#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "support/buffers.h"

using namespace zka::test;

namespace {

// A handle is refused by a call that reads, one that writes and one that answers a length.
void is_dead(const zka_buf* handle) {
  zka_fe element = fe(5);
  auto* buf = const_cast<zka_buf*>(handle);
  CHECK(zka_buf_read(handle, 0, &element, 1, ZKA_FORM_CANONICAL, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_buf_write(buf, 0, &element, 1, ZKA_FORM_CANONICAL, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_vector_powers(&element, &element, buf, 1, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_buf_len(handle) == 0);
  CHECK(element == fe(5));
}

template <class Handle>
Handle* at(uintptr_t address) {
  return reinterpret_cast<Handle*>(address);
}

}  // namespace

TEST_CASE("a handle that is null, made up, misaligned, freed or of another kind is an invalid argument") {
  const TestContext context;
  zka_buf* buf = nullptr;
  REQUIRE(zka_buf_alloc(context, ZKA_FIELD_BN254_FR, 1, &buf) == ZKA_OK);
  const auto address = reinterpret_cast<uintptr_t>(buf);
  zka_fe local = fe(0);
  is_dead(nullptr);
  is_dead(at<zka_buf>(reinterpret_cast<uintptr_t>(&local)));
  is_dead(at<zka_buf>(address + 1));
  is_dead(at<zka_buf>(~uintptr_t{0}));
  is_dead(reinterpret_cast<zka_buf*>(static_cast<zka_ctx*>(context)));
  CHECK(zka_stream_sync(at<zka_stream>(address)) == ZKA_E_INVALID_ARG);
  CHECK(zka_buf_len(buf) == 1);
  zka_buf_free(buf);
  is_dead(buf);
  zka_buf_free(buf);
  zka_buf_free(nullptr);
  zka_buf_free(at<zka_buf>(address + 8));
}

TEST_CASE("a freed handle stays dead when others are made after it") {
  const TestContext context;
  zka_buf* freed = nullptr;
  REQUIRE(zka_buf_alloc(context, ZKA_FIELD_BN254_FR, 1, &freed) == ZKA_OK);
  zka_buf_free(freed);
  for (int i = 0; i < 100; ++i) {
    const TestBuffer next(context, ZKA_FIELD_BN254_FR, 1);
    CHECK(static_cast<zka_buf*>(next) != freed);
    CHECK(zka_buf_len(freed) == 0);
  }
}

TEST_CASE("what a context made dies with it, and what another made lives on") {
  const TestContext stays;
  const TestBuffer kept(stays, ZKA_FIELD_BN254_FR, 3);
  zka_ctx* ctx = nullptr;
  const zka_config config = tested_config();
  REQUIRE(zka_ctx_create(&config, &ctx) == ZKA_OK);
  zka_buf* buf = nullptr;
  zka_stream* stream = nullptr;
  REQUIRE(zka_buf_alloc(ctx, ZKA_FIELD_BN254_FR, 1, &buf) == ZKA_OK);
  REQUIRE(zka_stream_create(ctx, &stream) == ZKA_OK);
  zka_ctx_destroy(ctx);
  is_dead(buf);
  CHECK(zka_stream_sync(stream) == ZKA_E_INVALID_ARG);
  CHECK(zka_buf_alloc(ctx, ZKA_FIELD_BN254_FR, 1, &buf) == ZKA_E_INVALID_ARG);
  CHECK(buf == nullptr);
  zka_ctx_destroy(ctx);
  zka_buf_free(buf);
  zka_stream_destroy(stream);
  CHECK(zka_buf_len(kept) == 3);
}

TEST_CASE("handles of two contexts do not meet in one call") {
  const TestContext one, other;
  const TestBuffer mine(one, ZKA_FIELD_BN254_FR, 4), foreign(other, ZKA_FIELD_BN254_FR, 4);
  CHECK(zka_buf_copy(mine, 0, foreign, 0, 1, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(one.last_error() == "from is of another context");
  CHECK(zka_vector_op_apply(ZKA_OP_ADD, mine, foreign, mine, 1, nullptr) == ZKA_E_INVALID_ARG);
  zka_stream* stream = nullptr;
  REQUIRE(zka_stream_create(other, &stream) == ZKA_OK);
  CHECK(zka_buf_copy(mine, 0, mine, 1, 1, stream) == ZKA_E_INVALID_ARG);
  CHECK(zka_stream_sync(stream) == ZKA_OK);
}

TEST_CASE("a buffer that is freed during calls of other threads goes when they are done with it") {
  const TestContext context;
  for (int round = 0; round < 20; ++round) {
    zka_buf* buf = nullptr;
    REQUIRE(zka_buf_alloc(context, ZKA_FIELD_BN254_FR, 1000, &buf) == ZKA_OK);
    std::atomic<int> calling{0};
    const auto read_until_dead = [&] {
      std::vector<zka_fe> elements(1000);
      while (zka_buf_read(buf, 0, elements.data(), 1000, ZKA_FORM_CANONICAL, nullptr) == ZKA_OK) ++calling;
    };
    std::thread one(read_until_dead), two(read_until_dead);
    while (calling < 4) std::this_thread::yield();
    zka_buf_free(buf);
    one.join();
    two.join();
    CHECK(context.memory().host_bytes == 0);
  }
}
