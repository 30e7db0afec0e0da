// Which rows and columns of a table are seen. Browsers have no element of more than some tens of millions of pixels, so
// that beyond it a pixel of the scroll bar is more than a row.
export const ROW_HEIGHT = 28;
/** Of a column of a wide table. */
export const COLUMN_WIDTH = 160;
/** Of the numbers of the rows, of a wide table. */
const HEAD_WIDTH = 120;
/** Tables of more columns are wide: their columns have one width, and only those that are seen are drawn. */
const MOST_COLUMNS = 48;
const MOST_PIXELS = 8_000_000;

/** What a wheel or a finger moves at once, in pixels; more is the bar, drawn. */
const SMALL_STEP = 1500;

/** Which row stands at the top where the bar stands; of very long tables the bar alone does not say it. */
export interface Place {
  readonly scrollTop: number;
  /** With the fraction of it that is out of sight. */
  readonly first: number;
}

export interface Scrolled {
  /** Of what is scrolled, in pixels. */
  readonly height: number;
  /** The first row that is drawn, and the one behind the last. */
  readonly start: number;
  readonly end: number;
  /** Where the first of them stands, in pixels from the top. */
  readonly top: number;
}

export function scrolledTo(rowCount: number, { scrollTop, first }: Place, viewHeight: number): Scrolled {
  const height = heightOf(rowCount);
  const seen = Math.ceil(viewHeight / ROW_HEIGHT) + 1;
  const start = Math.min(Math.max(0, Math.floor(first)), Math.max(0, rowCount - 1));
  const top = scrollTop - (first - start) * ROW_HEIGHT;
  return { height, start, end: Math.min(rowCount, start + seen), top };
}

/** The bar was moved: by a little, as many rows as pixels say; by more, or to an end, as far down as it is. */
export function movedTo(rowCount: number, place: Place, scrollTop: number, viewHeight: number): Place {
  const height = heightOf(rowCount);
  if (height === rowCount * ROW_HEIGHT) return { scrollTop, first: scrollTop / ROW_HEIGHT };
  const last = lastFirst(rowCount, viewHeight);
  const step = scrollTop - place.scrollTop;
  const share = scrollTop / (height - viewHeight);
  if (step === 0 || (share > 0 && share < 1 && Math.abs(step) <= SMALL_STEP))
    return { scrollTop, first: Math.min(last, Math.max(0, place.first + step / ROW_HEIGHT)) };
  return { scrollTop, first: Math.min(1, Math.max(0, share)) * last };
}

/** Where the bar is to stand for a row to be the first that is seen. */
export function placeOf(rowCount: number, row: number, viewHeight: number): Place {
  const height = heightOf(rowCount);
  const last = lastFirst(rowCount, viewHeight);
  const first = Math.min(last, Math.max(0, row));
  if (height === rowCount * ROW_HEIGHT) return { scrollTop: first * ROW_HEIGHT, first };
  return { scrollTop: (first / last) * (height - viewHeight), first };
}

function heightOf(rowCount: number): number {
  return Math.min(rowCount * ROW_HEIGHT, MOST_PIXELS);
}

/** What stands at the top where the last row is at the bottom. */
function lastFirst(rowCount: number, viewHeight: number): number {
  return Math.max(0, rowCount - viewHeight / ROW_HEIGHT);
}

export interface ColumnsSeen {
  /** The first column that is drawn, and the one behind the last. */
  readonly start: number;
  readonly end: number;
  /** Pixels of the columns before and behind them; 0 of tables that are not wide. */
  readonly before: number;
  readonly after: number;
  /** Of the table. */
  readonly width: number;
}

export function isWide(columnCount: number): boolean {
  return columnCount > MOST_COLUMNS;
}

export function columnsSeen(columnCount: number, scrollLeft: number, viewWidth: number): ColumnsSeen {
  const width = HEAD_WIDTH + columnCount * COLUMN_WIDTH;
  if (!isWide(columnCount)) return { start: 0, end: columnCount, before: 0, after: 0, width };
  const last = columnCount - 1;
  const start = Math.min(last, Math.max(0, Math.floor((scrollLeft - HEAD_WIDTH) / COLUMN_WIDTH)));
  const end = Math.min(columnCount, Math.ceil((scrollLeft + viewWidth - HEAD_WIDTH) / COLUMN_WIDTH) + 1);
  return {
    start,
    end: Math.max(end, start + 1),
    before: start * COLUMN_WIDTH,
    after: (columnCount - Math.max(end, start + 1)) * COLUMN_WIDTH,
    width,
  };
}
