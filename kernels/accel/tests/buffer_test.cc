#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "known_answers.h"
#include "support/buffers.h"

using namespace zka::test;

TEST_CASE("elements come in and go out in both forms") {
  in_each_context([](const TestContext& context) {
    for (const KnownAnswer& known : KNOWN_ANSWERS) {
      const TestBuffer canonical(context, known.field, {known.a});
      CHECK(canonical.read(ZKA_FORM_MONTGOMERY)[0] == known.montgomery);
      const TestBuffer montgomery(context, known.field, {known.montgomery}, ZKA_FORM_MONTGOMERY);
      CHECK(montgomery.read()[0] == known.a);
    }
  });
}

TEST_CASE("many elements come back as they went, whatever the number of threads") {
  in_each_context([](const TestContext& context) {
    for (const zka_field field : FIELDS) {
      const auto elements = Random(3).elements(field, 10'001);
      for (const zka_form form : {ZKA_FORM_CANONICAL, ZKA_FORM_MONTGOMERY}) {
        CHECK(TestBuffer(context, field, elements, form).read(form) == elements);
      }
    }
  });
}

TEST_CASE("a new buffer is zero, and may be empty") {
  const TestContext context;
  CHECK(TestBuffer(context, ZKA_FIELD_BN254_FR, 100).read(ZKA_FORM_MONTGOMERY) == std::vector<zka_fe>(100, fe(0)));
  const TestBuffer empty(context, ZKA_FIELD_BN254_FQ, 0);
  CHECK(zka_buf_len(empty) == 0);
  CHECK(zka_buf_read(empty, 0, nullptr, 0, ZKA_FORM_CANONICAL, nullptr) == ZKA_OK);
}

TEST_CASE("the first element that is not below the modulus is named, in either form") {
  in_each_context([](const TestContext& context) {
    for (const zka_field field : FIELDS) {
      for (const zka_form form : {ZKA_FORM_CANONICAL, ZKA_FORM_MONTGOMERY}) {
        std::vector<zka_fe> elements(20'000, below(field, 1));
        const TestBuffer buf(context, field, elements, form);
        elements[19'999] = elements[7'777] = below(field, 0);
        elements[12'345] = {{~0ull, ~0ull, ~0ull, ~0ull}};
        const auto n = elements.size();
        CHECK(zka_buf_write(buf, 0, elements.data(), n, form, nullptr) == ZKA_E_NON_CANONICAL);
        CHECK(context.last_error() == "element 7777 is not below the modulus");
      }
    }
  });
}

TEST_CASE("where an element is not below the modulus, each of the range is what it was, what was to be written, or 0") {
  in_each_context([](const TestContext& context) {
    const size_t n = 20'000, bad = 7'777;
    const TestBuffer buf(context, ZKA_FIELD_BN254_FR, std::vector<zka_fe>(n, fe(1)));
    std::vector<zka_fe> elements(n - 2, fe(2));
    elements[bad] = below(ZKA_FIELD_BN254_FR, 0);
    REQUIRE(zka_buf_write(buf, 1, elements.data(), n - 2, ZKA_FORM_CANONICAL, nullptr) == ZKA_E_NON_CANONICAL);
    const auto after = buf.read();
    CHECK(after.front() == fe(1));
    CHECK(after.back() == fe(1));
    CHECK(std::count(after.begin(), after.end(), fe(2)) >= 1);
    CHECK(std::all_of(after.begin(), after.end(), [](const zka_fe& each) {
      return each == fe(0) || each == fe(1) || each == fe(2);
    }));
    CHECK(!(after[1 + bad] == fe(2)));
  });
}

TEST_CASE("rejects ranges beyond the end, and sums of offset and length that overflow") {
  const TestContext context;
  const TestBuffer buf(context, ZKA_FIELD_BN254_FR, 4), longer(context, ZKA_FIELD_BN254_FR, 8);
  zka_fe some[8] = {};
  constexpr size_t MAX = std::numeric_limits<size_t>::max();
  const size_t beyond[][2] = {{0, 5}, {4, 1}, {5, 0}, {1, MAX}, {MAX, 1}, {MAX, MAX}, {2, MAX - 1}};
  for (const auto& [offset, n] : beyond) {
    CHECK(zka_buf_read(buf, offset, some, n, ZKA_FORM_CANONICAL, nullptr) == ZKA_E_SIZE);
    CHECK(zka_buf_write(buf, offset, some, n, ZKA_FORM_CANONICAL, nullptr) == ZKA_E_SIZE);
    CHECK(zka_buf_copy(buf, offset, longer, 0, n, nullptr) == ZKA_E_SIZE);
    CHECK(zka_buf_copy(longer, 0, buf, offset, n, nullptr) == ZKA_E_SIZE);
  }
  CHECK(zka_buf_read(buf, 4, nullptr, 0, ZKA_FORM_CANONICAL, nullptr) == ZKA_OK);
}

TEST_CASE("rejects arguments that are null, misaligned or of an unknown form") {
  const TestContext context;
  const TestBuffer buf(context, ZKA_FIELD_BN254_FR, 4);
  zka_fe some[2] = {};
  auto* odd = reinterpret_cast<zka_fe*>(reinterpret_cast<char*>(some) + 4);
  const auto none = static_cast<zka_form>(2);
  CHECK(zka_buf_read(buf, 0, nullptr, 1, ZKA_FORM_CANONICAL, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_buf_write(buf, 0, nullptr, 1, ZKA_FORM_CANONICAL, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_buf_read(buf, 0, odd, 1, ZKA_FORM_CANONICAL, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_buf_write(buf, 0, odd, 1, ZKA_FORM_CANONICAL, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_buf_read(buf, 0, some, 1, none, nullptr) == ZKA_E_INVALID_ARG);
  CHECK(zka_buf_alloc(context, ZKA_FIELD_BN254_FR, 4, nullptr) == ZKA_E_INVALID_ARG);
}

TEST_CASE("a copy may overlap itself, and fields do not mix") {
  const TestContext context;
  const std::vector<zka_fe> digits = {fe(0), fe(1), fe(2), fe(3), fe(4), fe(5)};
  const TestBuffer forward(context, ZKA_FIELD_BN254_FR, digits), backward(context, ZKA_FIELD_BN254_FR, digits);
  REQUIRE(zka_buf_copy(forward, 1, forward, 0, 5, nullptr) == ZKA_OK);
  CHECK(forward.read() == std::vector<zka_fe>{fe(0), fe(0), fe(1), fe(2), fe(3), fe(4)});
  REQUIRE(zka_buf_copy(backward, 0, backward, 1, 5, nullptr) == ZKA_OK);
  CHECK(backward.read() == std::vector<zka_fe>{fe(1), fe(2), fe(3), fe(4), fe(5), fe(5)});
  const TestBuffer other(context, ZKA_FIELD_BN254_FQ, 6);
  CHECK(zka_buf_copy(other, 0, forward, 0, 1, nullptr) == ZKA_E_INVALID_ARG);
}

TEST_CASE("a buffer allocates what it holds, releases it, and stays within the limit of the context") {
  zka_config config = tested_config();
  config.host_bytes_max = config.device_bytes_max = 64 * 32;
  const TestContext context(config);
  {
    const TestBuffer fits(context, ZKA_FIELD_BN254_FR, 60);
    CHECK(held(context).bytes == 60 * 32);
    zka_buf* more = nullptr;
    CHECK(zka_buf_alloc(context, ZKA_FIELD_BN254_FR, 5, &more) == out_of_memory());
    CHECK(context.last_error() == "192 bytes more are beyond the limit of 2048");
    CHECK(more == nullptr);
    CHECK(zka_buf_alloc(context, ZKA_FIELD_BN254_FR, 4, &more) == ZKA_OK);
    zka_buf_free(more);
  }
  CHECK(held(context).bytes == 0);
  CHECK(held(context).bytes_peak == 64 * 32);
}

TEST_CASE("rejects sizes that no memory has") {
  const TestContext context;
  zka_buf* buf = nullptr;
  for (const size_t n : {std::numeric_limits<size_t>::max(), size_t{1} << 59, size_t{1} << 44}) {
    CHECK(zka_buf_alloc(context, ZKA_FIELD_BN254_FR, n, &buf) == ZKA_E_SIZE);
  }
  void* memory = nullptr;
  CHECK(zka_host_alloc(context, std::numeric_limits<size_t>::max(), &memory) == ZKA_E_SIZE);
  CHECK(memory == nullptr);
}

TEST_CASE("host memory is the caller's until it is freed, and counted") {
  const TestContext context;
  void *memory = nullptr, *empty = nullptr;
  REQUIRE(zka_host_alloc(context, 1000, &memory) == ZKA_OK);
  REQUIRE(zka_host_alloc(context, 0, &empty) == ZKA_OK);
  std::memset(memory, 7, 1000);
  CHECK(context.memory().host_bytes == 1024);
  zka_host_free(context, static_cast<char*>(memory) + 64);
  zka_host_free(context, nullptr);
  CHECK(context.memory().host_bytes == 1024);
  zka_host_free(context, memory);
  zka_host_free(context, memory);
  CHECK(context.memory().host_bytes == 0);
  // What is left is freed with the context.
}
