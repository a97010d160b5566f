// What went wrong in this thread's last failed call. No allocation: it also reports that there was no memory.
#pragma once
#include <cstdint>

namespace zka::last_error {

// A call begins: it concerns no context yet.
void call_begins() noexcept;
// The call works with this context, by its handle.
void concerns(uintptr_t context) noexcept;
// The call failed. What is too long is cut.
void failed(const char* words) noexcept;

// Of the last failed call that concerned `context`, 0: none. "" if there was another since, or none. A call that got no
// living handle may have been meant for any context, and is reported for all.
const char* of(uintptr_t context) noexcept;

}  // namespace zka::last_error
