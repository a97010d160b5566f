// The header against the list of calls that tests go through.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "calls/calls.h"

using namespace zka::test;

namespace {

std::string header_text() {
  std::string text;
  for (const auto& file : std::filesystem::directory_iterator(ZKA_HEADERS)) {
    std::ifstream in(file.path());
    text.append(std::istreambuf_iterator<char>(in), {});
  }
  return text;
}

// The names of the functions with a parameter of this type.
std::set<std::string> functions_with(const std::string& text, const std::string& type) {
  const std::string api = "ZKA_API zka_status ";
  std::set<std::string> names;
  for (size_t at = text.find(api); at != std::string::npos; at = text.find(api, at)) {
    at += api.size();
    const std::string declaration = text.substr(at, text.find(';', at) - at);
    if (declaration.find(type) != std::string::npos) names.insert(declaration.substr(0, declaration.find('(')));
  }
  return names;
}

std::set<std::string> calls_with(Trait trait) {
  std::set<std::string> names;
  for (const Call& call : calls()) {
    if (call.has(trait)) names.insert(call.name);
  }
  return names;
}

}  // namespace

TEST_CASE("each function of the header with a curve or a field is among the calls that are tested with unknown ones") {
  const std::string text = header_text();
  auto with_field = functions_with(text, "zka_field ");
  with_field.merge(functions_with(text, "zka_program_desc*"));  // which has one
  const auto with_curve = functions_with(text, "zka_curve ");
  CHECK(with_curve.size() >= 4);
  CHECK(with_curve == calls_with(OF_CURVE));
  CHECK(with_field.size() >= 2);
  CHECK(with_field == calls_with(OF_FIELD));
}
