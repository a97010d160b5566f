// A plug-in for a machine whose driver is too old.
#include <cstdio>

#include "core/plugin.h"

extern "C" __attribute__((visibility("default"))) zka_status zkaccel_plugin_open(zka::PluginCall* call) {
  std::snprintf(call->why, sizeof call->why, "asked as version %u for device %d; the driver is too old", call->version,
                call->config.device);
  return ZKA_E_DRIVER;
}
