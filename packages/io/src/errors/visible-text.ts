// Text that came from a file or a caller -> text that is safe to show. A terminal obeys escape sequences (ESC, the C1
// controls) and bidirectional marks, and a line break starts a line that looks like another message.

const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** The same text with every control character, line break and bidirectional mark as `\u001b`. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** JSON whose texts hold none of them either; it parses to the same value. Line breaks between its parts stay. */
export function visibleJson(json: string): string {
  // What JSON leaves as it is stands inside of texts, where an escape means the same.
  return json.replace(HIDDEN, (character) => (character === '\n' ? character : visibleText(character)));
}
