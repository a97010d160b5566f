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
  for (const Queued& each : queued_) zka::gpu::emulated::deallocate(each.freed);
}

void CUstream_st::enqueue(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  if (queued_.size() >= QUEUED_MAX) do_all();
  queued_.push_back({std::move(work)});
}

void CUstream_st::free_after(void* memory) noexcept {
  const std::lock_guard lock(mutex_);
  queued_.push_back({nullptr, memory});
}

void CUstream_st::finish() {
  const std::lock_guard lock(mutex_);
  do_all();
}

void CUstream_st::do_all() {
  const auto queued = std::exchange(queued_, {});
  std::exception_ptr error;
  for (const auto& [work, freed] : queued) {
    try {
      if (work && !error) work();
    } catch (...) {
      error = std::current_exception();
    }
    zka::gpu::emulated::deallocate(freed);
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
