// Buffers filled and read in one line.
#pragma once
#include <doctest/doctest.h>

#include <vector>

#include "support/contexts.h"
#include "support/elements.h"

namespace zka::test {

// A buffer, freed with it.
class TestBuffer {
 public:
  TestBuffer(zka_ctx* ctx, zka_field field, size_t n) { REQUIRE(zka_buf_alloc(ctx, field, n, &buf_) == ZKA_OK); }
  TestBuffer(zka_ctx* ctx, zka_field field, const std::vector<zka_fe>& elements, zka_form form = ZKA_FORM_CANONICAL)
      : TestBuffer(ctx, field, elements.size()) {
    REQUIRE(zka_buf_write(buf_, 0, elements.data(), elements.size(), form, nullptr) == ZKA_OK);
  }
  ~TestBuffer() { zka_buf_free(buf_); }
  TestBuffer(const TestBuffer&) = delete;
  TestBuffer& operator=(const TestBuffer&) = delete;
  operator zka_buf*() const noexcept { return buf_; }

  std::vector<zka_fe> read(zka_form form = ZKA_FORM_CANONICAL) const {
    std::vector<zka_fe> elements(zka_buf_len(buf_));
    REQUIRE(zka_buf_read(buf_, 0, elements.data(), elements.size(), form, nullptr) == ZKA_OK);
    return elements;
  }

 private:
  zka_buf* buf_ = nullptr;
};

}  // namespace zka::test
