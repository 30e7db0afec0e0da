// The same names as decoding.ts for browsers, where no addon decodes pages: nobody asks for any.
export const TEXT_BYTES = 0;

export const areFew = (): boolean => false;
export const decodingOf = none;
export const enoughRoom = none;
export const learnRoom = none;
export const listBytes = none;
export const textBytes = none;
export const wantNumbers = none;
export const wantTexts = none;

function none(): never {
  throw new Error('no addon decodes pages');
}
