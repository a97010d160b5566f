#include "gpu/emulated/block.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <utility>

#include "gpu/emulated/device_memory.h"
#include "gpu/emulated/thread.h"

namespace zka::gpu::emulated {
namespace {

constexpr size_t SHARED_ALIGNMENT = 32;

// Thrown in threads that wait where the block has failed: they must not continue.
struct Unwound {};

}  // namespace

Block::Block(const Shape& shape, const Body& body)
    : shape_(shape), body_(body), states_(shape.threads), order_(shape.threads), shared_(nullptr, std::free),
      gifts_(shape.threads / WARP) {}

Block::~Block() = default;

void Block::run(uint64_t row, uint64_t block, uint64_t seed) {
  row_ = row;
  block_ = block;
  begin(seed);
  for (size_t i = 0; started_ < order_.size() && !error_; ++i) {
    current_ = &Fiber::of_this_thread(i);
    current_->start(&Block::work, this);
  }
  while (!error_ && go_on()) {
  }
  const std::string waits = error_ ? "" : who_waits();
  unwind();
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  if (!waits.empty()) throw Failure(ZKA_E_INTERNAL, waits);
}

void Block::begin(uint64_t seed) {
  std::fill(states_.begin(), states_.end(), State{});
  std::iota(order_.begin(), order_.end(), 0);
  std::shuffle(order_.begin(), order_.end(), std::mt19937_64(seed));
  started_ = 0;
  void* memory = nullptr;
  if (posix_memalign(&memory, SHARED_ALIGNMENT, std::max<size_t>(shape_.shared_bytes, 1)) != 0) throw std::bad_alloc();
  std::memset(memory, UNWRITTEN, shape_.shared_bytes);
  shared_.reset(static_cast<std::byte*>(memory));
}

std::byte* Block::shared(size_t first_byte) {
  if (first_byte > shape_.shared_bytes) throw Failure(ZKA_E_INTERNAL, "shared memory ends before that");
  return shared_.get() + first_byte;
}

void Block::work(void* block) noexcept {
  auto* self = static_cast<Block*>(block);
  try {
    self->run_new_threads();
  } catch (const Unwound&) {
  } catch (...) {
    self->error_ = std::current_exception();
  }
}

// On one fiber, as long as none has to wait.
void Block::run_new_threads() {
  Fiber* const fiber = current_;
  while (started_ < order_.size()) {
    const uint32_t number = order_[started_++];
    states_[number].fiber = fiber;
    Thread thread(*this, number);
    body_.run(body_.kernel, thread);
    states_[number].ended = true;
  }
}

// Resumes each thread that waits for nothing; whether there was one.
bool Block::go_on() {
  bool any = false;
  for (const uint32_t number : order_) {
    const State& state = states_[number];
    if (state.ended || state.waits_for != Meeting::none) continue;
    any = true;
    current_ = state.fiber;
    current_->resume();
    if (error_) return false;
  }
  return any;
}

void Block::meet(uint32_t thread, Meeting meeting) {
  const uint32_t n = meeting == Meeting::warp ? WARP : shape_.threads;
  const auto first = states_.begin() + thread / n * n, last = first + n;
  states_[thread].waits_for = meeting;
  if (std::all_of(first, last, [&](const State& other) { return !other.ended && other.waits_for == meeting; })) {
    for (auto other = first; other != last; ++other) other->waits_for = Meeting::none;
    return;
  }
  states_[thread].fiber->pause();
  if (unwinding_) throw Unwound{};
}

const Block::Gifts& Block::exchange(uint32_t thread, const void* gift, size_t bytes) {
  State& state = states_[thread];
  Gifts& gifts = gifts_[thread / WARP][state.exchanges];
  state.exchanges ^= 1;
  if (bytes != 0) std::memcpy(gifts[thread % WARP].data(), gift, bytes);
  meet(thread, Meeting::warp);
  return gifts;
}

// Empty where no thread does.
std::string Block::who_waits() const {
  const auto found = std::find_if(states_.begin(), states_.end(), [](const State& each) { return !each.ended; });
  if (found == states_.end()) return "";
  return "thread " + std::to_string(found - states_.begin()) + " of block " + std::to_string(block_) + " waits for its " +
         (found->waits_for == Meeting::warp ? "warp" : "block") + ", and not all of it comes";
}

void Block::unwind() noexcept {
  unwinding_ = true;
  for (State& state : states_) {
    if (state.fiber != nullptr && !state.ended && !state.fiber->ended()) state.fiber->resume();
  }
  unwinding_ = false;
}

}  // namespace zka::gpu::emulated
