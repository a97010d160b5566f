#include <doctest/doctest.h>

#include <string>

#include "core/plugin.h"
#include "support/contexts.h"

using zka::Failure;

namespace {

// What opening that plug-in fails with.
Failure failure_of(const std::string& file) {
  zka::Memory memory(0);
  zka_config config = zka::test::cpu_config();
  config.device = 3;
  try {
    zka::open_plugin(file, config, memory);
  } catch (const Failure& failure) {
    return failure;
  }
  FAIL("a plug-in was opened");
  return Failure(ZKA_OK, "");
}

}  // namespace

TEST_CASE("a plug-in that refuses is quoted, with its file and its status") {
  const Failure failure = failure_of(ZKA_REFUSING_PLUGIN);
  CHECK(failure.status() == ZKA_E_DRIVER);
  CHECK(std::string(failure.what()) ==
        std::string(ZKA_REFUSING_PLUGIN) + ": asked as version 1 for device 3; the driver is too old");
}

TEST_CASE("a plug-in that is not there is no device, and a library that is none is told apart") {
  CHECK(failure_of("/nowhere/libzkaccel_cuda.so").status() == ZKA_E_NO_DEVICE);
  CHECK(failure_of("libc.so.6").status() == ZKA_E_UNSUPPORTED);
}

TEST_CASE("the plug-in belongs beside the library") {
  const std::string path = zka::plugin_path();
  CHECK(path.ends_with("/libzkaccel_cuda.so"));
}
