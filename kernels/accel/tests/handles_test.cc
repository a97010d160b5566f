#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "core/handles.h"
#include "msm/points.h"
#include "ntt/domains.h"
#include "support/streams.h"

using namespace zka::test;
namespace reference = zka::reference;

namespace {

// A handle is refused by a call that reads, one that writes and one that returns a length.
void is_dead(const zka_buf* handle) {
  zka_fe element = fe(5);
  auto* buf = const_cast<zka_buf*>(handle);
  CHECK(zka_buf_read(handle, 0, &element, 1, ZKA_FORM_CANONICAL, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_buf_write(buf, 0, &element, 1, ZKA_FORM_CANONICAL, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_vector_powers(&element, &element, buf, 1, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_buf_len(handle) == 0);
  CHECK(element == fe(5));
}

// Records what it finds when it is freed.
struct Dying : zka::Object {
  using Handle = zka_domain;
  [[maybe_unused]] static constexpr const char* NAME = "dying";

  Dying(const zka_buf* other, size_t& found) : other_(other), found_(found) {}
  ~Dying() override { found_ = zka_buf_len(other_); }

  const zka_buf* other_;
  size_t& found_;
};

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

TEST_CASE("a freed handle stays invalid when others are created after it") {
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
  const TestBuffer other(stays, ZKA_FIELD_BN254_FR, 3);
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
  CHECK(zka_buf_len(other) == 3);
}

TEST_CASE("destroying a context does not delay the calls of another one") {
  const TestContext stays;
  const TestBuffer other(stays, FR, 3);
  size_t found = 0;
  {
    const TestContext goes;
    zka::Handles::all().add(std::make_shared<Dying>(other, found), goes);
  }
  CHECK(found == 3);
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
  CHECK(zka_stream_sync(stream) == ZKA_E_INVALID_ARG);
}

TEST_CASE("what was queued with a handle that is freed then is done with it first") {
  const TestContext context;
  const TestStream stream(context);
  const size_t n = 1000;
  const TestBuffer sums(context, FR, n), transformed(context, FR, 8);
  std::vector<zka_fe> host(n);
  zka_jacobian sum;
  {
    const TestBuffer ones(context, FR, std::vector<zka_fe>(n, fe(1))), twos(context, FR, std::vector<zka_fe>(n, fe(2)));
    const TestDomain domain(context, 3, 3);
    const TestBases bases(context, ZKA_CURVE_BN254, {reference::generator(ZKA_CURVE_BN254)});
    zka_buf* const columns[] = {transformed};
    CHECK(zka_buf_copy(transformed, 0, ones, 0, 1, stream) == ZKA_OK);
    CHECK(zka_ntt(domain, columns, 1, ZKA_NTT_FORWARD, ZKA_ORDER_NN, 1, stream) == ZKA_OK);
    CHECK(zka_vector_op_apply(ZKA_OP_ADD, ones, twos, sums, n, stream) == ZKA_OK);
    CHECK(zka_buf_read(ones, 0, host.data(), n, ZKA_FORM_CANONICAL, stream) == ZKA_OK);
    CHECK(zka_msm(bases, 0, ones, 0, 1, 1, &sum, stream) == ZKA_OK);
  }
  // Who is given that memory next writes something else there.
  const TestBuffer others(context, FR, std::vector<zka_fe>(n, fe(5))), more(context, FR, std::vector<zka_fe>(n, fe(5)));
  const TestBuffer little(context, FR, std::vector<zka_fe>(8, fe(5)));
  CHECK(zka_stream_sync(stream) == ZKA_OK);
  CHECK(sums.read() == std::vector<zka_fe>(n, fe(3)));
  CHECK(host == std::vector<zka_fe>(n, fe(1)));
  CHECK(transformed.read() == std::vector<zka_fe>(8, fe(1)));
  zka_affine point;
  REQUIRE(zka_to_affine(context, ZKA_CURVE_BN254, &sum, 1, &point) == ZKA_OK);
  CHECK(point == reference::generator(ZKA_CURVE_BN254));
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
