// Text that a terminal would obey, for names, values and paths of tests; and what of it an output holds as it is.

/** Begins a line of its own, which looks like a message, where a line break is printed as it is. */
const SPOOFED = 'spoofed: all is well';

/** ESC, CSI, all bidirectional marks, line breaks of every kind, DEL: what the name of a file may hold too. */
export const HIDDEN_IN_PATHS =
  '\u001b[2J\u009b31m\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069' +
  `\u007f\u0085\u2028\u2029\t\r\n${SPOOFED}\u001b]0;title\u0007`;

export const HIDDEN_TEXT = `${HIDDEN_IN_PATHS}\u0000`;

/** The code points of `output` that a terminal would obey, and lines that are another's; none is as it must be. */
export function obeyed(output: string): string[] {
  const raw = output.match(/[^\P{Cc}\n]|[\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu) ?? [];
  const lines = output.split('\n').filter((line) => line.startsWith(SPOOFED));
  return [...new Set([...raw.map((each) => `U+${each.charCodeAt(0).toString(16).padStart(4, '0')}`), ...lines])];
}
