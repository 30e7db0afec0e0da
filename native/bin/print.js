// What these commands print: paths and messages of compilers, in which a terminal would obey what is hidden. As in
// @colkit/io, which builds on this package; line breaks of a message stay, because compilers write several.

const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** The same text with every control character, line break and bidirectional mark as `\u001b`. */
export function visibleText(text) {
  return text.replace(HIDDEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Lines of the result. */
export function print(text) {
  write(process.stdout, text);
}

/** Lines beside the result. */
export function note(text) {
  write(process.stderr, text);
}

function write(stream, text) {
  for (const line of text.split('\n')) stream.write(`${visibleText(line)}\n`);
}
