// Byte strings of which each begins with bytes of the one before it (FRONT): those of an interval are put together when
// one of them is needed.
#ifndef COLKIT_NATIVE_TEXT_FRONTS_H_
#define COLKIT_NATIVE_TEXT_FRONTS_H_

#include <cstdint>

#include "decode/column_nodes.h"
#include "decode/texts/lazy_texts.h"
#include "decode/texts/text_values.h"

namespace colkit {

class TextFronts final : public LazyTexts {
 public:
  // What a node of FRONT says, and where each string ends; false where it is declined.
  bool Read(const PageBody& body, const Node& node, const uint32_t** ends);

  bool Load(uint32_t start, uint32_t end) override;
  bool LoadString(uint32_t index, uint32_t start, uint32_t end) override;
  bool LoadListed(const uint32_t* indexes, uint32_t count, const uint32_t* ends) override;
  // By what the first string of each interval has, and others where they differ from the one before no later than that
  // did from the text.
  const TextOrder* OrdersTo(const uint8_t* text, uint32_t length) override;

 private:
  bool LoadIntervals(uint32_t first, uint32_t last);
  void Join(uint32_t first, uint32_t last);
  uint32_t FirstOf(uint32_t interval) const { return interval << interval_log2_; }
  // The last string.
  uint32_t LastOf(uint32_t interval) const;

  Arena* arena_ = nullptr;
  const uint32_t* shared_ = nullptr;  // bytes of each string that are those of the one before
  TextValues own_;                    // and what it has behind them
  uint32_t* ends_ = nullptr;
  uint8_t* loaded_ = nullptr;  // a byte an interval
  uint32_t count_ = 0;
  unsigned interval_log2_ = 0;
};

}  // namespace colkit

#endif  // COLKIT_NATIVE_TEXT_FRONTS_H_
