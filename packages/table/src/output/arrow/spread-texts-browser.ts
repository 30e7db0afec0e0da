// The same name as spread-texts.ts for browsers, which have no addon.
import type { Work } from '@colkit/io/effects';

// eslint-disable-next-line require-yield -- the addon's takes its time
export function* spreadTexts(): Work<null> {
  return null;
}
