#include "abi/call.h"

#include "core/elements.h"

namespace zka::abi {

std::shared_ptr<Buffer> Call::buffer(const zka_buf* handle, zka_field field, const char* what) const {
  auto object = own<Buffer>(handle, what);
  if (object->field() != field) throw Failure(ZKA_E_INVALID_ARG, std::string(what) + " is of another field");
  return object;
}

void Call::same_context(const std::shared_ptr<Context>& of, const char* what) const {
  if (of != context_) throw Failure(ZKA_E_INVALID_ARG, std::string(what) + " is of another context");
}

void record_failure(const zka_stream* stream) noexcept {
  const auto failure = std::current_exception();
  if (stream == nullptr) return;
  try {
    find<Stream>(stream, "stream")->record(failure);
  } catch (...) {
    // It is no stream, or there is no memory to say so: the call itself returns what was thrown first.
  }
}

void need_range(const Buffer& buffer, size_t offset, size_t n, const char* what) {
  if (offset <= buffer.size() && n <= buffer.size() - offset) return;
  throw Failure(ZKA_E_SIZE, std::string(what) + " has " + std::to_string(buffer.size()) + " elements, not the " +
                                std::to_string(n) + " from " + std::to_string(offset) + " on");
}

void need_field(zka_field field) { modulus_of(field); }

zka_fe need_element(zka_field field, const zka_fe* value, const char* what) {
  const zka_fe element = *need(value, what);
  if (!is_below_modulus(field, element)) {
    throw Failure(ZKA_E_NON_CANONICAL, std::string(what) + " is not below the modulus");
  }
  return element;
}

}  // namespace zka::abi
