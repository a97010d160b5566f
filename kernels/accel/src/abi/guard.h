// Where the C interface ends: what the inside throws becomes a status and this thread's last error.
#pragma once
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include "core/failure.h"
#include "core/last_error.h"

namespace zka::abi {

inline zka_status failed(zka_status status, const char* words) noexcept {
  last_error::failed(words);
  return status;
}

// The body of a function of the interface.
template <class Body>
zka_status guard(const Body& body) noexcept {
  last_error::call_begins();
  try {
    body();
    return ZKA_OK;
  } catch (const Failure& failure) {
    return failed(failure.status(), failure.what());
  } catch (const std::bad_alloc&) {
    return failed(ZKA_E_OOM_HOST, "no memory");
  } catch (const std::exception& error) {
    return failed(ZKA_E_INTERNAL, error.what());
  } catch (...) {
    return failed(ZKA_E_INTERNAL, "something was thrown that is no exception");
  }
}

constexpr size_t ARRAY_BYTES_MAX = size_t{1} << 48;

// A pointer of the caller: neither null nor misaligned.
template <class T>
T* need(T* pointer, const char* what) {
  if (pointer == nullptr) throw Failure(ZKA_E_INVALID_ARG, std::string(what) + " is null");
  if (reinterpret_cast<uintptr_t>(pointer) % alignof(T) != 0) {
    throw Failure(ZKA_E_INVALID_ARG, std::string(what) + " is misaligned");
  }
  return pointer;
}
// As many of T as some memory may hold: what is worked out from such a length does not overflow. Throws SIZE.
template <class T>
void need_length(size_t n, const char* what) {
  if (n <= ARRAY_BYTES_MAX / sizeof(T)) return;
  throw Failure(ZKA_E_SIZE, std::string(what) + " has " + std::to_string(n) + " elements: more than any memory holds");
}
// An array of the caller: of such a length, and a pointer as above, which may be anything where it is empty.
template <class T>
T* need_array(T* pointer, size_t n, const char* what) {
  need_length<T>(n, what);
  return n == 0 ? pointer : need(pointer, what);
}

// Where a handle is to go: null until there is one.
template <class T>
T** need_out(T** out) {
  *need(out, "out") = nullptr;
  return out;
}

// Read as a number: a caller in C may have put anything there, which C++ may not load as an enum.
template <class Enum>
void need_one_of(const Enum& value, Enum last, const char* what) {
  uint32_t number;
  static_assert(sizeof number == sizeof value);
  std::memcpy(&number, &value, sizeof number);
  if (number > static_cast<uint32_t>(last)) {
    throw Failure(ZKA_E_INVALID_ARG, std::string(what) + " is " + std::to_string(static_cast<int32_t>(number)));
  }
}

}  // namespace zka::abi
