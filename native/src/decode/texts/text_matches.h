// Byte strings as literals and copies of what stands before them in the page (MATCHES).
#ifndef COLKIT_NATIVE_TEXT_MATCHES_H_
#define COLKIT_NATIVE_TEXT_MATCHES_H_

#include "decode/column_nodes.h"
#include "decode/texts/text_values.h"

namespace colkit {

// All strings of a node of MATCHES, in the arena; false where it is declined.
bool DecodeTextMatches(const PageBody& body, const Node& node, TextValues* texts);

}  // namespace colkit

#endif  // COLKIT_NATIVE_TEXT_MATCHES_H_
