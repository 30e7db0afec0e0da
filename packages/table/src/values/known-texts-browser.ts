// The same name as known-texts.ts for browsers, which have no addon to number texts.
export class KnownTexts {
  readonly count = 0;
}
