#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>

#include "gpu/emulated/launch.h"
#include "gpu/emulated/memory.h"

namespace zka::gpu::emulated {
namespace {

// Another order in each launch, and the same ones in each run of a program of one thread.
std::atomic<uint64_t> launches{0};

void run_blocks(const Shape& shape, const Body& body) {
  std::mt19937_64 random(launches++);
  Vector<uint64_t> order(shape.blocks * shape.rows);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  Block block(shape, body);
  for (const uint64_t each : order) block.run(each / shape.blocks, each % shape.blocks, random());
}

}  // namespace

void run_grid(Device& device, const Shape& shape, const Body& body) {
  try {
    run_blocks(shape, body);
  } catch (const Failure& failure) {
    device.fail_for_good(failure.what());
  }
}

}  // namespace zka::gpu::emulated
