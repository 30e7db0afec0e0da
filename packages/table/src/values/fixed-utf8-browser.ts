// The same name as fixed-utf8.ts for browsers, which have no addon to tell texts apart by their bytes.
export class FixedUtf8 {
  encode(): never {
    throw new TypeError('there is no addon here');
  }
}
