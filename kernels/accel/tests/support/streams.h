// A stream in one line.
#pragma once
#include <doctest/doctest.h>

#include "zkaccel.h"

namespace zka::test {

// A stream, ended with it.
class TestStream {
 public:
  explicit TestStream(zka_ctx* ctx) { REQUIRE(zka_stream_create(ctx, &stream_) == ZKA_OK); }
  ~TestStream() { zka_stream_destroy(stream_); }
  TestStream(const TestStream&) = delete;
  TestStream& operator=(const TestStream&) = delete;
  operator zka_stream*() const noexcept { return stream_; }

 private:
  zka_stream* stream_ = nullptr;
};

}  // namespace zka::test
