#include "gpu/emulated/stream.h"

#include <exception>
#include <utility>

#include "gpu/emulated/device_memory.h"

namespace {

std::mutex streams_mutex;
zka::gpu::emulated::Vector<CUstream_st*> streams;

}  // namespace

CUstream_st::CUstream_st() {
  const std::lock_guard lock(streams_mutex);
  streams.push_back(this);
}

CUstream_st::~CUstream_st() {
  {
    const std::lock_guard lock(streams_mutex);
    std::erase(streams, this);
  }
  for (const Asked& each : asked_) zka::gpu::emulated::give_back(each.freed);
}

void CUstream_st::ask(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  if (asked_.size() >= ASKED_MAX) do_all();
  asked_.push_back({std::move(work)});
}

void CUstream_st::free_after(void* memory) noexcept {
  const std::lock_guard lock(mutex_);
  asked_.push_back({nullptr, memory});
}

void CUstream_st::finish() {
  const std::lock_guard lock(mutex_);
  do_all();
}

void CUstream_st::do_all() {
  const auto asked = std::exchange(asked_, {});
  std::exception_ptr error;
  for (const auto& [work, freed] : asked) {
    try {
      if (work && !error) work();
    } catch (...) {
      error = std::current_exception();
    }
    zka::gpu::emulated::give_back(freed);
  }
  if (error) std::rethrow_exception(error);
}

void CUstream_st::finish_all() noexcept {
  const std::lock_guard lock(streams_mutex);
  for (CUstream_st* const each : streams) {
    try {
      each->finish();
    } catch (...) {
    }
  }
}
