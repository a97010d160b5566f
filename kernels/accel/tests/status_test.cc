#include <doctest/doctest.h>

#include <string>

#include "core/json.h"
#include "zkaccel.h"

TEST_CASE("every status has its name, and an unknown number says so") {
  CHECK(std::string(zka_status_name(ZKA_OK)) == "ZKA_OK");
  for (int status = ZKA_E_REMAINDER; status < 0; ++status) {
    CHECK(std::string(zka_status_name(status)).starts_with("ZKA_E_"));
  }
  CHECK(std::string(zka_status_name(ZKA_E_INTERNAL)) == "ZKA_E_INTERNAL");
  CHECK(std::string(zka_status_name(1)) == "no status of zkaccel");
}

TEST_CASE("text in JSON is quoted") {
  CHECK(zka::json_string("a \"b\" \\ \n\x01") == "\"a \\\"b\\\" \\\\ \\u000a\\u0001\"");
}
