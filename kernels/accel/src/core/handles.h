// What callers hold: numbers dressed as pointers, never an address and never used twice. So a handle that was freed, is
// another library's, null or misaligned is detected by looking it up, without touching any memory behind it.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <typeinfo>
#include <unordered_map>

namespace zka {

// The object of a handle. Kept alive by the table and by calls that are under way with it.
class Object {
 public:
  Object() = default;
  virtual ~Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  // Its handle is dead from now on; calls under way with it may be cancelled.
  virtual void end() noexcept {}

 private:
  friend class Handles;
  std::shared_ptr<Object> ended_before_;
};

// Classes of objects name the type of their handle (T::Handle) and what they are in a message (T::NAME).
class Handles {
 public:
  // Of this process, and in a child made by fork of the parents' too, whose handles it refuses.
  static Handles& all() noexcept;

  // `owner` is the context it belongs to and dies with, null for a context. Throws Failure INVALID_ARG where the owner
  // has been destroyed meanwhile.
  template <class T>
  typename T::Handle* add(std::shared_ptr<T> object, const void* owner) {
    return reinterpret_cast<typename T::Handle*>(insert(std::move(object), typeid(T), number(owner)));
  }
  // Throws Failure INVALID_ARG where there is no such thing (any more), or it is of the process that forked this one and
  // its threads are not here; `what` names the argument.
  template <class T>
  std::shared_ptr<T> find(const typename T::Handle* handle, const char* what) const {
    return std::static_pointer_cast<T>(lookup(number(handle), typeid(T), T::NAME, what));
  }
  // Ends it and, if it is a context, all that it owns. What is no handle of that kind, or of the process that forked this
  // one, is left alone.
  template <class T>
  void remove(const typename T::Handle* handle) noexcept {
    drop(number(handle), typeid(T));
  }

 private:
  struct Entry {
    std::shared_ptr<Object> object;
    const std::type_info* type;
    uintptr_t owner;
    pid_t process;  // that made it
  };

  static uintptr_t number(const void* handle) noexcept { return reinterpret_cast<uintptr_t>(handle); }
  uintptr_t insert(std::shared_ptr<Object> object, const std::type_info& type, uintptr_t owner);
  std::shared_ptr<Object> lookup(uintptr_t handle, const std::type_info& type, const char* name,
                                 const char* what) const;
  void drop(uintptr_t handle, const std::type_info& type) noexcept;

  mutable std::shared_mutex mutex_;
  std::unordered_map<uintptr_t, Entry> entries_;
  uintptr_t next_ = 1;
};

}  // namespace zka
