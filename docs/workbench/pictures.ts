// An array of an item as a picture, where its length is that of one: gray or coloured, square unless told otherwise.
import type { ItemArray } from './protocol.ts';

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3 | 4;
}

/** As a reader says it; `width` null: square, where the count of values is that of one. */
export interface PictureForm {
  readonly width: number | null;
  readonly channels: Picture['channels'];
}

export const CHANNELS = [1, 3, 4] as const;
const LEAST_SIDE = 8;

/** Null for what is no picture: text, and numbers whose count is that of no picture of the form. */
export function pictureOf({ values, length }: ItemArray, form: PictureForm | null): Picture | null {
  if (typeof values === 'string') return null;
  if (form !== null && form.width !== null) {
    const { width, channels } = form;
    if (!Number.isInteger(width) || width < 1 || length === 0 || length % (width * channels) !== 0) return null;
    // Of a large one the first rows came.
    const height = Math.floor(values.length / (width * channels));
    return height === 0 ? null : { width, height, channels };
  }
  if (values.length < length) return null;
  for (const channels of CHANNELS) {
    const side = Math.sqrt(length / channels);
    if (Number.isInteger(side) && side >= LEAST_SIDE) return { width: side, height: side, channels };
  }
  return null;
}

/** Values from the least to the largest, or bytes as they are, become brightness. */
export function draw(canvas: HTMLCanvasElement, { values }: ItemArray, { width, height, channels }: Picture): void {
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null || typeof values === 'string') return;
  const image = context.createImageData(width, height);
  const [least, factor] = rangeOf(values);
  const level = (index: number): number => ((values[index] ?? 0) - least) * factor;
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    for (let channel = 0; channel < 3; channel += 1)
      image.data[4 * pixel + channel] = level(channels * pixel + (channels === 1 ? 0 : channel));
    image.data[4 * pixel + 3] = channels === 4 ? level(4 * pixel + 3) : 255;
  }
  context.putImageData(image, 0, 0);
}

function rangeOf(values: ArrayLike<number>): [least: number, factor: number] {
  if (values instanceof Uint8Array) return [0, 1];
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] as number;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most > least ? 255 / (most - least) : 0];
}
