// What holds of the text of the carry chains, since only a device could show that it does not.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace {

const std::string FOLDER = ZKA_SOURCES "/gpu/field/";

bool compiles(const std::string& options) {
  const std::string command =
      ZKA_COMPILER " -std=c++20 -x c++ -fsyntax-only -I" ZKA_SOURCES " " + options + " " + FOLDER + "chain.h 2>/dev/null";
  return std::system(command.c_str()) == 0;
}

// The first lines of this file's functions that have a part of a chain and could be called; `found` counts all with a part.
std::string callable(const std::string& file, int& found) {
  std::ifstream in(FOLDER + file);
  std::string line, function, all;
  while (std::getline(in, line)) {
    if (line.find("ZKA_HD") != std::string::npos) function = line;
    const bool has_part = line.find("Chain ") != std::string::npos || line.find("Chain& ") != std::string::npos ||
                          line.find("ZKA_OF_T") != std::string::npos;
    if (!has_part || function.empty()) continue;
    ++found;
    if (function.find("ZKA_HD_INLINE") == std::string::npos) all += function + "\n";
  }
  return all;
}

}  // namespace

TEST_CASE("does not compile for device debugging, where carries are lost") {
  CHECK(compiles(""));
  CHECK_FALSE(compiles("-D__CUDACC_DEBUG__"));
}

TEST_CASE("each function that has a part of a carry chain is part of its caller") {
  int found = 0;
  for (const char* file : {"chain.h", "words.h", "montgomery.h"}) CHECK(callable(file, found) == "");
  CHECK(found >= 20);
}
