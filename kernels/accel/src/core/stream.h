// An order of operations that can be cancelled, and that records its first failure until it is synced.
#pragma once
#include <exception>
#include <memory>
#include <mutex>

#include "core/context.h"

namespace zka {

class Stream : public Object {
 public:
  using Handle = zka_stream;
  static constexpr const char* NAME = "stream";

  explicit Stream(std::shared_ptr<Context> context, std::unique_ptr<Cancel> cancel = std::make_unique<Cancel>())
      : context_(std::move(context)), cancel_(std::move(cancel)), queue_(context_->backend().queue(*cancel_)) {}

  const std::shared_ptr<Context>& context() const noexcept { return context_; }

  // work(queue), after what other threads have under way on this stream.
  template <class Work>
  void run(const Work& work) {
    const std::lock_guard lock(one_call_);
    cancel_->check();
    work(*queue_);
  }
  // A call on this stream failed; the first one's failure stays until the sync.
  void record(const std::exception_ptr& failure) noexcept;
  // Waits; throws the first failure since the last sync.
  void sync();
  void cancel() noexcept { cancel_->cancel(); }
  void end() noexcept override { cancel_->cancel(); }

 private:
  std::shared_ptr<Context> context_;
  std::mutex one_call_;
  std::unique_ptr<Cancel> cancel_;
  std::unique_ptr<Queue> queue_;
  std::exception_ptr first_failure_;
};

}  // namespace zka
