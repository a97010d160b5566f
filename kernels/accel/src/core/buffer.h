// An array of field elements in a backend's memory.
#pragma once
#include <memory>

#include "core/context.h"

namespace zka {

class Buffer : public Object {
 public:
  using Handle = zka_buf;
  static constexpr const char* NAME = "buffer";

  Buffer(std::shared_ptr<Context> context, zka_field field, size_t n)
      : context_(std::move(context)), field_(field), n_(n), storage_(context_->backend().buffers->allocate(n)) {}

  const std::shared_ptr<Context>& context() const noexcept { return context_; }
  zka_field field() const noexcept { return field_; }
  size_t size() const noexcept { return n_; }
  zka_fe* data(size_t offset = 0) noexcept { return static_cast<zka_fe*>(storage_->data()) + offset; }

 private:
  std::shared_ptr<Context> context_;
  zka_field field_;
  size_t n_;
  std::unique_ptr<Storage> storage_;
};

}  // namespace zka
