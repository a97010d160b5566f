#include "core/pool.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "core/failure.h"

namespace zka {

Pool::Pool(unsigned threads) {
  try {
    for (unsigned i = 1; i < threads; ++i) workers_.emplace_back([this] { serve(); });
  } catch (const std::system_error& error) {
    stop();
    throw Failure(ZKA_E_OOM_HOST, std::string("threads cannot be started: ") + error.what());
  } catch (...) {
    stop();
    throw;
  }
}

Pool::~Pool() { stop(); }

void Pool::stop() noexcept {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  begun_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Pool::parallel(size_t parts, const std::function<void(size_t)>& work) {
  if (parts == 0) return;
  const std::lock_guard alone(one_loop_);
  if (workers_.empty() || parts == 1) {
    for (size_t part = 0; part < parts; ++part) work(part);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    parts_ = parts;
    next_ = 0;
    error_ = nullptr;
    ++loop_;
  }
  begun_.notify_all();
  run_parts();
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return busy_ == 0; });
  work_ = nullptr;
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Pool::over(size_t n, size_t grain, const std::function<void(size_t, size_t)>& work) {
  // More pieces than threads, so that one that is held up does not hold up the rest.
  const size_t pieces = std::clamp<size_t>(n / std::max<size_t>(grain, 1), 1, size_t{threads()} * 4);
  parallel(n == 0 ? 0 : pieces, [&](size_t piece) { work(n * piece / pieces, n * (piece + 1) / pieces); });
}

void Pool::serve() {
  uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      begun_.wait(lock, [&] { return stopping_ || (loop_ != seen && work_ != nullptr); });
      if (stopping_) return;
      seen = loop_;
    }
    run_parts();
  }
}

void Pool::run_parts() {
  std::unique_lock lock(mutex_);
  ++busy_;
  while (work_ != nullptr && next_ < parts_ && !error_) {
    const size_t part = next_++;
    const auto* work = work_;
    lock.unlock();
    std::exception_ptr error;
    try {
      (*work)(part);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error && !error_) error_ = error;
  }
  if (--busy_ == 0) ended_.notify_all();
}

}  // namespace zka
