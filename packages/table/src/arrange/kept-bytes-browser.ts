// The same name as kept-bytes.ts for browsers, which have no addon to number texts.
export class KeptBytes {
  readonly count = 0;
}
