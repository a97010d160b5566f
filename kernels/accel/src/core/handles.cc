#include "core/handles.h"

#include <unistd.h>

#include <iterator>
#include <mutex>
#include <string>
#include <utility>

#include "core/failure.h"
#include "core/last_error.h"

namespace zka {
namespace {

// Handles look like addresses of the first page and those after it, aligned as objects are.
constexpr uintptr_t STEP = 16;

}  // namespace

// Never destroyed: threads of the caller may still be in a call when the process ends.
Handles& Handles::all() noexcept {
  static Handles* const table = std::make_unique<Handles>().release();
  return *table;
}

uintptr_t Handles::insert(std::shared_ptr<Object> object, const std::type_info& type, uintptr_t owner) {
  const std::unique_lock lock(mutex_);
  if (owner != 0 && !entries_.contains(owner)) throw Failure(ZKA_E_INVALID_ARG, "the context has been destroyed");
  const uintptr_t handle = next_ * STEP;
  entries_.emplace(handle, Entry{std::move(object), &type, owner, getpid()});
  ++next_;
  return handle;
}

std::shared_ptr<Object> Handles::lookup(uintptr_t handle, const std::type_info& type, const char* name,
                                        const char* what) const {
  const std::shared_lock lock(mutex_);
  const auto found = entries_.find(handle);
  if (found == entries_.end() || *found->second.type != type) {
    throw Failure(ZKA_E_INVALID_ARG, std::string(what) + (handle == 0 ? " is null" : " is no living ") +
                                         (handle == 0 ? "" : name));
  }
  last_error::concerns(found->second.owner == 0 ? handle : found->second.owner);
  if (found->second.process != getpid()) {
    throw Failure(ZKA_E_INVALID_ARG, std::string(what) + " is a " + name + " of the parent process");
  }
  return found->second.object;
}

void Handles::drop(uintptr_t handle, const std::type_info& type) noexcept {
  // Freed after the lock, since they wait for threads and streams. The list goes through them: nothing here may fail.
  std::shared_ptr<Object> ended;
  {
    const std::unique_lock lock(mutex_);
    const auto found = entries_.find(handle);
    if (found == entries_.end() || *found->second.type != type) return;
    // Its threads are the parent's: to wait for them here would never end.
    if (found->second.process != getpid()) return;
    const auto end = [&](auto entry) {
      entry->second.object->end();
      entry->second.object->ended_before_ = std::move(ended);
      ended = std::move(entry->second.object);
      return entries_.erase(entry);
    };
    const bool is_context = found->second.owner == 0;
    end(found);
    // Only what has no owner is one.
    for (auto entry = entries_.begin(); is_context && entry != entries_.end();) {
      entry = entry->second.owner == handle ? end(entry) : std::next(entry);
    }
  }
  while (ended) ended = std::exchange(ended->ended_before_, nullptr);
}

}  // namespace zka
