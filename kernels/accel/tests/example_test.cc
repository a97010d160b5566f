#include <doctest/doctest.h>

#include <cstdio>
#include <string>

TEST_CASE("the example of the README prints what it says") {
  FILE* example = popen(ZKA_EXAMPLE, "r");
  REQUIRE(example != nullptr);
  char text[256] = "";
  const size_t length = std::fread(text, 1, sizeof text - 1, example);
  CHECK(pclose(example) == 0);
  CHECK(std::string(text, length) == "3^4 = 81\n");
}
