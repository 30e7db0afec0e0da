// Records of JSON in memory that ends where they end: cells lie within their records, and texts lose their escapes.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "json/json_members.h"
#include "tests/test_support.h"

namespace {

using namespace colkit;

constexpr size_t kColumns = 3;
const char kNames[] = "abca\\u00e9";
// Three names, of which the last has an escape; no slot tells any but by walking on.
const JsonNameEntry kEntries[] = {{0, 1, 0}, {1, 3, 1}, {3, 10, 2}};
const int32_t kSlots[] = {1, 2, 3, 1, 2, 3, 1, 0};

struct Found {
  size_t taken;
  std::vector<uint8_t> bytes;
  std::vector<int32_t> starts;
  std::vector<int32_t> ends;
  std::vector<uint8_t> flags;
  std::vector<JsonFacts> facts;

  std::string Cell(size_t cell) const { return std::string(bytes.begin() + starts[cell], bytes.begin() + ends[cell]); }
};

Found Find(const std::vector<std::string>& records, bool skips_others, JsonNested nested = JsonNested::kLeft) {
  Found found;
  std::vector<int32_t> bounds;
  for (const std::string& record : records) {
    bounds.push_back(static_cast<int32_t>(found.bytes.size()));
    found.bytes.insert(found.bytes.end(), record.begin(), record.end());
    bounds.push_back(static_cast<int32_t>(found.bytes.size()));
  }
  found.bytes.shrink_to_fit();
  const size_t cells = records.size() * kColumns;
  found.starts.assign(cells, -1);
  found.ends.assign(cells, -1);
  found.flags.assign(cells, 9);
  found.facts.assign(kColumns, JsonFacts{});
  const JsonNames names = {
      reinterpret_cast<const uint8_t*>(kNames), std::strlen(kNames), kEntries, 3, kSlots, 8, skips_others};
  const JsonRows rows = {
      found.starts.data(), found.ends.data(), found.flags.data(), 0, kColumns, kColumns, found.facts.data(), nested};
  found.taken = FindJsonMembers(found.bytes.data(), bounds.data(), records.size(), names, rows);
  return found;
}

void CheckValues() {
  const Found found = Find({R"({"a":12,"bc":"x\\y\n","a\u00e9":"\ud83d\ude00 \u0041\u20ac long enough"})",
                            R"( { "bc" : null , "a" : -0.50 } )", R"({"a\u00e9":1e5})"},
                           false);
  CHECK(found.taken == 3);
  CHECK(found.Cell(0) == "12" && found.flags[0] == 0);
  CHECK(found.Cell(1) == "x\\y\n" && found.flags[1] == 1);
  CHECK(found.Cell(2) == "\xf0\x9f\x98\x80 A\xe2\x82\xac long enough");
  CHECK(found.Cell(3) == "-0.50" && found.Cell(4).empty() && found.starts[4] > 0);
  CHECK(found.ends[5] == 0 && found.flags[5] == 0);
  CHECK(found.facts[0].present == 2 && found.facts[0].forms == (kJsonWhole | kJsonFraction));
  CHECK(found.facts[1].present == 1 && found.facts[1].forms == (kJsonOtherText | kJsonNull));
  CHECK(found.facts[2].forms == (kJsonSpecialText | kJsonOtherNumber));
}

// One record each that is left.
void CheckLeft() {
  const char* const texts[] = {"",
                               "{",
                               "{}",
                               "}",
                               "[1]",
                               R"({"a":1,})",
                               R"({"a" 1})",
                               R"({"a":})",
                               R"({"a":01})",
                               R"({"a":1.})",
                               R"({"a":-})",
                               R"({"a":1e})",
                               R"({"a":1e100})",
                               R"({"a":nul})",
                               R"({"a":"x)",
                               R"({"a":"\x"})",
                               R"({"a":"\u12"})",
                               R"({"a":"\ud800"})",
                               R"({"a":"\udc00"})",
                               R"({"a":"\u0000"})",
                               R"({"a":[1]})",
                               R"({"a":1,"a":2})",
                               R"({"z":1})",
                               R"({"a":1}})",
                               R"({"a":1)",
                               R"({"a":"\)",
                               R"({"a":"\ud83d\)",
                               R"({"a":"\ud83d\u)",
                               "{\"a\":\"\t\"}",
                               R"({"a\u0061":1})"};
  for (const char* text : texts) CHECK(Find({text}, false).taken == 0);
  CHECK(Find({R"({"z":1})"}, true).taken == 1);
  CHECK(Find({R"({"a\u0061":1})"}, true).taken == 0);
}

void CheckNested() {
  const char* const texts[] = {"[]", "{}", "[ ]", R"([1, "a b\"]", null])",
                               R"({ "k" : [ {} , [ true ] ], "l" : -1.5e3 })"};
  const char* const wanted[] = {"[]", "{}", "[]", R"([1,"a b\"]",null])", R"({"k":[{},[true]],"l":-1.5e3})"};
  for (size_t i = 0; i < 5; ++i) {
    const std::string record = std::string("{\"z\":") + texts[i] + ",\"a\": " + texts[i] + " }";
    const Found found = Find({record}, true, JsonNested::kText);
    CHECK(found.taken == 1 && found.Cell(0) == wanted[i] && found.flags[0] == 1);
    CHECK(Find({record}, true).taken == 0);
    CHECK(Find({std::string("{\"z\":") + texts[i] + "}"}, true).taken == 1);
  }
  const Found single =
      Find({R"({"a":[ 5 ],"bc":["x\n"]})", R"({"a":[null],"bc":7})", R"({"a":[5,6]})"}, false, JsonNested::kSingle);
  CHECK(single.taken == 2 && single.Cell(0) == "5" && single.Cell(1) == "x\n" && single.flags[1] == 1);
  CHECK(single.Cell(3).empty() && single.starts[3] > 0 && single.Cell(4) == "7");
  const char* const bad[] = {
      "[",         "{",           "[1",    "[1,", "[1,]",       "[,1]", "[1 2]", R"({"k"})",
      R"({"k":})", R"({"k":1,})", "{1:2}", "[1}", R"({"k":1])", "[\"",  "[nul]", R"({"k":1 "l":2})",
      R"(["\x"])"};
  for (const char* text : bad) CHECK(Find({std::string("{\"a\":") + text + "}"}, true, JsonNested::kText).taken == 0);
  for (const size_t depth : {64, 65}) {
    const std::string record = "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
    CHECK(Find({record}, false, JsonNested::kText).taken == (depth == 64 ? 1 : 0));
  }
}

void CheckMutations(Random* random) {
  const std::string whole =
      R"({"z":[{"k" : []},"\\u0041"],"a":-12.5e-3,"bc":"x\\y\ud83d\ude00\n and more","a\u00e9":null, "z" : true })";
  for (int round = 0; round < 200'000; ++round) {
    std::string text = whole.substr(0, 1 + random->Below(whole.size()));
    for (size_t change = random->Below(3); change > 0; --change)
      text[random->Below(text.size())] = "\"\\{}:,0u-. e"[random->Below(13)];
    const Found found = Find({text, whole, text}, random->Below(2) == 0, static_cast<JsonNested>(random->Below(3)));
    for (size_t cell = 0; cell < found.taken * kColumns; ++cell) {
      CHECK(found.starts[cell] >= 0 && found.starts[cell] <= found.ends[cell]);
      CHECK(static_cast<size_t>(found.ends[cell]) <= found.bytes.size() && found.flags[cell] <= 1);
    }
  }
}

}  // namespace

int main() {
  Random random(11);
  CheckValues();
  CheckLeft();
  CheckNested();
  CheckMutations(&random);
  std::puts("json_test: ok");
  return 0;
}
