#include <doctest/doctest.h>

#include <span>
#include <vector>

#include "gpu/emulated.h"
#include "gpu/product/kernels.h"

using namespace zka;
using gpu::Fr;

TEST_CASE("what comes before each block is the product of all before it, of more blocks than a block has threads too") {
  test::Emulated on;
  for (const uint64_t n : {1, 255, 256, 257, 1000}) {
    std::vector<Fr> totals, expected;
    Fr before = Fr::from_u64(5);
    for (uint64_t i = 0; i < n; ++i) {
      totals.push_back(Fr::from_u64(i + 2));
      expected.push_back(before);
      before *= totals.back();
    }
    const auto array = gpu::uploaded(on.queue, std::span(totals));
    const gpu::Shape one_block{.threads = gpu::PRODUCT_THREADS, .shared_bytes = sizeof(gpu::ProductShared<Fr>)};
    gpu::launch(on.queue, one_block, gpu::CarryTotals<Fr>{Fr::from_u64(5), array.data(), n});
    CHECK(on.read(array) == expected);
  }
}
