// The same names as hashed-texts.ts for browsers, which have no addon to number texts.
export class HashedTexts {
  readonly count = 0;
}

export function pickTexts(): never {
  throw new TypeError('there is no addon here');
}
