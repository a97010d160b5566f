// Text as a JSON string, quotes included.
#pragma once
#include <string>
#include <string_view>

namespace zka {

inline std::string json_string(std::string_view text) {
  constexpr char HEX[] = "0123456789abcdef";
  std::string json = "\"";
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if (each == '"' || each == '\\') {
      json += {'\\', each};
    } else if (byte < 0x20) {
      json += {'\\', 'u', '0', '0', HEX[byte >> 4], HEX[byte & 15]};
    } else {
      json += each;
    }
  }
  return json + '"';
}

}  // namespace zka
