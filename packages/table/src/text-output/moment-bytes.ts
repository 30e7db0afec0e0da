// Ticks, as their two words, -> the text of `toISO` as bytes; what is rarer goes the long way.
import type { DTypeInfo } from '@colkit/io';
import { DayTexts } from '../values/iso-texts.ts';
import { OF_DAYS, SECONDS_OF_DAY, tickDigits } from '../values/plain-moment.ts';
import { toISO } from '../values/time.ts';
import type { TextBytes } from './text-bytes.ts';

const TWO_16 = 2 ** 16;
const TWO_32 = 2 ** 32;
const [COLON, POINT, LETTER_T] = [0x3a, 0x2e, 0x54];
/** Bytes of a time of day, and room for the digits of a second. */
const TIME_BYTES = 32;

/** @returns What writes a tick that is not NaT, given its lower word and its upper one, signed. */
export function momentWriter(info: DTypeInfo, out: TextBytes): (low: number, high: number) => void {
  const theLongWay = (low: number, high: number): void =>
    out.text(toISO(BigInt(high) * 2n ** 32n + BigInt(low), info.name));
  const digits = tickDigits(info);
  if (digits === null) return theLongWay;
  const days = new DayTexts();
  if (digits === OF_DAYS)
    return (low, high) => {
      const text = days.textOf(high * TWO_32 + low);
      if (text === null) theLongWay(low, high);
      else out.text(text);
    };
  const perSecond = 10 ** digits;
  return (low, high) => {
    // A division by hand, 16 bits at a time: nothing on the way is beyond 2^53.
    const first = Math.floor(high / perSecond);
    const middle = (high - first * perSecond) * TWO_16 + (low >>> 16);
    const second = Math.floor(middle / perSecond);
    const last = (middle - second * perSecond) * TWO_16 + (low & 0xffff);
    const third = Math.floor(last / perSecond);
    const seconds = first * TWO_32 + second * TWO_16 + third;
    const day = Math.floor(seconds / SECONDS_OF_DAY);
    const text = days.textOf(day);
    if (text === null) {
      theLongWay(low, high);
      return;
    }
    out.text(text);
    out.room(TIME_BYTES);
    const ofDay = seconds - day * SECONDS_OF_DAY;
    const minutes = Math.floor(ofDay / 60);
    const hours = Math.floor(minutes / 60);
    out.byte(LETTER_T);
    out.padded(hours, 2);
    out.byte(COLON);
    out.padded(minutes - 60 * hours, 2);
    out.byte(COLON);
    out.padded(ofDay - 60 * minutes, 2);
    if (digits === 0) return;
    out.byte(POINT);
    out.padded(last - third * perSecond, digits);
  };
}
