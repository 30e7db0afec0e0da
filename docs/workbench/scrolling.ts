// Which rows of a table are seen. Browsers have no element of more than some tens of millions of pixels, so that beyond
// it a pixel of the scroll bar is more than a row.
export const ROW_HEIGHT = 28;
const MOST_PIXELS = 8_000_000;

export interface Scrolled {
  /** Of what is scrolled, in pixels. */
  readonly height: number;
  /** The first row that is drawn, and the one behind the last. */
  readonly start: number;
  readonly end: number;
  /** Where the first of them stands, in pixels from the top. */
  readonly top: number;
}

export function scrolledTo(rowCount: number, scrollTop: number, viewHeight: number): Scrolled {
  const wanted = rowCount * ROW_HEIGHT;
  const height = Math.min(wanted, MOST_PIXELS);
  const seen = Math.ceil(viewHeight / ROW_HEIGHT) + 1;
  const reach = Math.max(1, height - viewHeight);
  const share = Math.min(1, Math.max(0, scrollTop / reach));
  // As far down the rows as the bar is down its track.
  const first = height === wanted ? scrollTop / ROW_HEIGHT : share * Math.max(0, rowCount - viewHeight / ROW_HEIGHT);
  const start = Math.min(Math.max(0, Math.floor(first)), Math.max(0, rowCount - 1));
  const top = scrollTop - (first - start) * ROW_HEIGHT;
  return { height, start, end: Math.min(rowCount, start + seen), top };
}

/** Where the bar stands for a row to be the first that is seen. */
export function scrollTopOf(rowCount: number, row: number, viewHeight: number): number {
  const wanted = rowCount * ROW_HEIGHT;
  const height = Math.min(wanted, MOST_PIXELS);
  const last = Math.max(0, height - viewHeight);
  if (height === wanted) return Math.min(last, Math.max(0, row * ROW_HEIGHT));
  const rows = Math.max(1, rowCount - viewHeight / ROW_HEIGHT);
  return Math.min(1, Math.max(0, row / rows)) * last;
}
