#include "core/last_error.h"

#include <cstdio>

namespace zka::last_error {
namespace {

struct Thread {
  uintptr_t under_way = 0;
  uintptr_t failed = 0;
  char words[512] = "";
};
thread_local Thread thread;

}  // namespace

void call_begins() noexcept { thread.under_way = 0; }

void concerns(uintptr_t context) noexcept {
  if (thread.under_way == 0) thread.under_way = context;
}

void failed(const char* words) noexcept {
  thread.failed = thread.under_way;
  std::snprintf(thread.words, sizeof thread.words, "%s", words);
}

const char* of(uintptr_t context) noexcept {
  return thread.failed == 0 || thread.failed == context ? thread.words : "";
}

}  // namespace zka::last_error
