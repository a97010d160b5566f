// Lists of buffers in a call.
#pragma once
#include <span>
#include <vector>

#include "abi/call.h"

namespace zka::abi {

// buffers[0..n) of this call's context and of one field. Throws INVALID_ARG.
class Buffers {
 public:
  Buffers(const Call& call, const zka_buf* const* buffers, size_t n, zka_field field, const char* what) {
    need_array(buffers, n, what);
    all_.reserve(n);
    for (size_t i = 0; i < n; ++i) {
      const std::string name = std::string(what) + '[' + std::to_string(i) + ']';
      all_.push_back(call.buffer(buffers[i], field, name.c_str()));
    }
  }

  std::span<const std::shared_ptr<Buffer>> all() const noexcept { return all_; }

 private:
  std::vector<std::shared_ptr<Buffer>> all_;
};

}  // namespace zka::abi
