// A cancel that takes effect at a certain check: as if another thread had requested it just before.
#pragma once
#include <atomic>
#include <memory>

#include "core/stream.h"
#include "support/contexts.h"

namespace zka::test {

class CancelledAt : public Cancel {
 public:
  // Looks are counted from 1; NEVER only counts them. The count is the test's, and outlives it.
  static constexpr size_t NEVER = 0;
  CancelledAt(size_t look, std::atomic<size_t>& looks) : look_(look), looks_(looks) {}

 protected:
  bool is_set() const noexcept override {
    const size_t now = ++looks_;
    return look_ != NEVER && now >= look_;
  }

 private:
  const size_t look_;
  std::atomic<size_t>& looks_;
};

// A stream of that cancel, ended with it.
class StreamCancelledAt {
 public:
  StreamCancelledAt(zka_ctx* ctx, size_t look) {
    const auto context = Handles::all().find<Context>(ctx, "ctx");
    stream_ = Handles::all().add(std::make_shared<Stream>(context, std::make_unique<CancelledAt>(look, looks_)), ctx);
  }
  ~StreamCancelledAt() { zka_stream_destroy(stream_); }
  StreamCancelledAt(const StreamCancelledAt&) = delete;
  StreamCancelledAt& operator=(const StreamCancelledAt&) = delete;
  operator zka_stream*() const noexcept { return stream_; }

  size_t looks() const noexcept { return looks_; }

 private:
  std::atomic<size_t> looks_{0};
  zka_stream* stream_ = nullptr;
};

}  // namespace zka::test
