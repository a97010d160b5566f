#include "core/plugin.h"

#include <doctest/doctest.h>

#include <string>

#include "support/contexts.h"

// The plug-in's own entry.
extern "C" zka_status zkaccel_plugin_open(zka::PluginCall* call);

TEST_CASE("a plug-in opens for a library of its version and an existing device, and else returns an error") {
  zka::Memory memory(0);
  zka_config config = zka::test::cpu_config();
  zka::PluginCall good{zka::PLUGIN_VERSION, config, memory, nullptr, ""};
  CHECK(zkaccel_plugin_open(&good) == ZKA_OK);
  CHECK(good.backend->info().backend == "emulated");
  zka::PluginCall older{zka::PLUGIN_VERSION + 1, config, memory, nullptr, ""};
  CHECK(zkaccel_plugin_open(&older) == ZKA_E_UNSUPPORTED);
  CHECK(std::string(older.why) == "it is of another release");
  config.device = 1;
  zka::PluginCall other{zka::PLUGIN_VERSION, config, memory, nullptr, ""};
  CHECK(zkaccel_plugin_open(&other) == ZKA_E_NO_DEVICE);
  CHECK(std::string(other.why) == "there is no device 1");
}

TEST_CASE("a backend says how much it may take of its device") {
  zka::Memory memory(0);
  zka_config config = zka::test::cpu_config();
  config.device_bytes_max = 12345;
  zka::PluginCall call{zka::PLUGIN_VERSION, config, memory, nullptr, ""};
  REQUIRE(zkaccel_plugin_open(&call) == ZKA_OK);
  CHECK(call.backend->device_bytes_max() == 12345);
}
