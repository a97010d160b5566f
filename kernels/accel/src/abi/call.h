// A call of the interface that works in a context: its handles must be of that context, its ranges within their buffers.
#pragma once
#include <memory>

#include "abi/guard.h"
#include "core/buffer.h"
#include "core/stream.h"

namespace zka::abi {

template <class T>
std::shared_ptr<T> find(const typename T::Handle* handle, const char* what) {
  return Handles::all().find<T>(handle, what);
}

class Call {
 public:
  // `stream` may be null: at once.
  Call(std::shared_ptr<Context> context, zka_stream* stream) : context_(std::move(context)) {
    if (stream != nullptr) stream_ = find<Stream>(stream, "stream");
    if (stream_) same_context(stream_->context(), "stream");
  }
  explicit Call(const zka_ctx* ctx) : Call(find<Context>(ctx, "ctx"), nullptr) {}

  Context& context() const noexcept { return *context_; }

  // A handle of this context. Throws INVALID_ARG.
  template <class T>
  std::shared_ptr<T> own(const typename T::Handle* handle, const char* what) const {
    auto object = find<T>(handle, what);
    same_context(object->context(), what);
    return object;
  }
  std::shared_ptr<Buffer> buffer(const zka_buf* handle, zka_field field, const char* what) const;

  // Operations of the backend. Throws UNSUPPORTED where it has none of this module.
  template <class T>
  T& module(std::unique_ptr<T> Backend::*operations) const {
    auto& found = context_->backend().*operations;
    if (!found) throw Failure(ZKA_E_UNSUPPORTED, "this backend does not do that");
    return *found;
  }

  // work(queue) on the stream, or at once.
  template <class Work>
  void run(const Work& work) const {
    if (stream_) return stream_->run(work);
    const Cancel never;
    const auto queue = context_->backend().queue(never);
    work(*queue);
    queue->sync();
  }

  // Gives an object of this context to the caller.
  template <class T>
  typename T::Handle* hand_out(std::shared_ptr<T> object) const {
    return Handles::all().add(std::move(object), context_->handle());
  }
  const std::shared_ptr<Context>& shared_context() const noexcept { return context_; }

 private:
  void same_context(const std::shared_ptr<Context>& of, const char* what) const;

  std::shared_ptr<Context> context_;
  std::shared_ptr<Stream> stream_;
};

// What is thrown is a failure of `stream` too, if that is a living one.
void record_failure(const zka_stream* stream) noexcept;

// The body of a function of the interface that takes a stream, which may be null. The stream records each of its failures:
// who checks only the sync gets a rejected argument as well.
template <class Body>
zka_status guard_on(const zka_stream* stream, const Body& body) noexcept {
  return guard([&] {
    try {
      body();
    } catch (...) {
      record_failure(stream);
      throw;
    }
  });
}

// buffer[offset..offset + n] exists. Throws SIZE.
void need_range(const Buffer& buffer, size_t offset, size_t n, const char* what);
// A field of the library. Throws INVALID_ARG.
void need_field(zka_field field);
// A readable element below the modulus. Throws INVALID_ARG, NON_CANONICAL.
zka_fe need_element(zka_field field, const zka_fe* value, const char* what);

}  // namespace zka::abi
