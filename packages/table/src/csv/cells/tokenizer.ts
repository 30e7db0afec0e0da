// Bytes of CSV -> where its cells and rows are (RFC 4180: quotes, doubled quotes, line breaks in quotes, LF or CRLF).
// Nothing is decoded here; a block of whole rows is looked at once.
import { textInputKernels } from '@colkit/io';
import type { TextInputKernels } from '@colkit/io';
import { ESCAPED, MALFORMED, PLAIN, QUOTED } from '../../text-input/cells/cell-flags.ts';
import { WORTH_A_CALL } from '../../text-input/cells/addon-columns.ts';
import { markStops, stopTable } from './mark-stops.ts';

/** What delimits cells, as bytes. */
export interface Dialect {
  readonly separator: number;
  /** -1: none. */
  readonly quote: number;
}

const LF = 10;
const CR = 13;
/** Its answers: all rows were found, there is no room for them, they are not of this kind. */
const FOUND = 0;
const NO_ROOM = 1;

export class Tokenizer {
  /** First and last + 1 byte of each cell, without its quotes. */
  starts = new Int32Array(1024);
  ends = new Int32Array(1024);
  flags = new Uint8Array(1024);
  /** Number of the first cell of each row, and after the last row how many cells there are. */
  rowCells = new Int32Array(256);
  /** Line of the input that each row begins on, from 0 at the start of the block. */
  rowLines = new Int32Array(256);
  rowCount = 0;
  /** Whether a cell is malformed. */
  hasMalformed = false;
  /** Whether all bytes are known to be ASCII. */
  isAscii = false;
  /** Line breaks in the part that was consumed. */
  lineCount = 0;
  /** Whether rows of one empty cell are passed over: what stands for null in a table of one column. */
  skipsBlank = true;
  /**
   * How many cells rows should have: where they have, without quotes, they are found much faster. 0: that is not known.
   */
  columns = 0;
  /** The quote as a character; empty: none. */
  readonly quote: string;
  readonly #dialect: Dialect;
  readonly #stops = new Uint8Array(256);
  /** Stops without CR, which is text but before LF. */
  readonly #plainStops: Uint8Array;
  #marks = new Int32Array(1024);

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
    this.quote = dialect.quote === -1 ? '' : String.fromCharCode(dialect.quote);
    for (const byte of [dialect.separator, LF, CR]) this.#stops[byte] = 1;
    this.#plainStops = stopTable(dialect.separator);
  }

  /**
   * Finds the whole rows in bytes [0, end). @param final whether nothing follows: then the last row needs no line
   * break.
   * @param mostRows stops after so many. @returns how many bytes they take.
   */
  tokenize(bytes: Uint8Array, end: number, final: boolean, mostRows = Infinity): number {
    const { separator, quote } = this.#dialect;
    const stops = this.#stops;
    if (this.columns > 0 && mostRows === Infinity) {
      const kernels = end < WORTH_A_CALL ? null : textInputKernels();
      const found =
        kernels !== null
          ? this.#tokenizeInAddon(kernels, bytes.subarray(0, end), final)
          : quote === -1 || bytes.indexOf(quote) === -1
            ? this.#tokenizePlain(bytes, end, final)
            : -1;
      if (found !== -1) return found;
    }
    this.isAscii = false;
    const lastStop = Math.max(separator, CR);
    let { starts, ends, flags } = this;
    let [cell, row, position, rowStart, line, rowLine] = [0, 0, 0, 0, 0, 0];
    this.rowCount = 0;
    this.lineCount = 0;
    this.hasMalformed = false;
    this.rowCells[0] = 0;
    while (row < mostRows) {
      // A cell begins here. At the end of the input there is one only behind a separator.
      if (position >= end && !(final && position > rowStart)) break;
      if (cell === starts.length) {
        this.#growCells();
        ({ starts, ends, flags } = this);
      }
      let flag = PLAIN;
      let start = position;
      let stop: number;
      if (position < end && bytes[position] === quote) {
        flag = QUOTED;
        start = position + 1;
        position = start;
        for (;;) {
          while (position < end && bytes[position] !== quote) {
            if (bytes[position] === LF) line += 1;
            position += 1;
          }
          if (position >= end || bytes[position + 1] !== quote || position + 1 >= end) break;
          flag = ESCAPED;
          position += 2;
        }
        // The quote may be the first of two.
        if (position + 1 >= end && !final) break;
        stop = position;
        if (position >= end) flag = MALFORMED;
        else position += 1;
        if (position < end && stops[bytes[position] as number] === 0) flag = MALFORMED;
        while (position < end && stops[bytes[position] as number] === 0) position += 1;
      } else {
        // Most bytes of most files are beyond all of the three.
        let byte = 0;
        while (position < end && ((byte = bytes[position] as number) > lastStop || stops[byte] === 0)) position += 1;
        stop = position;
        // And most cells are plain ones before a separator.
        if (position < end && byte === separator) {
          starts[cell] = start;
          ends[cell] = stop;
          flags[cell] = PLAIN;
          cell += 1;
          position += 1;
          continue;
        }
      }
      // A carriage return ends a row before a line feed and is text elsewhere.
      while (position < end && bytes[position] === CR && (position + 1 < end ? bytes[position + 1] !== LF : final)) {
        if (flag !== PLAIN) flag = MALFORMED;
        position += 1;
        while (position < end && stops[bytes[position] as number] === 0) position += 1;
        if (flag === PLAIN) stop = position;
      }
      starts[cell] = start;
      ends[cell] = stop;
      flags[cell] = flag;
      if (flag === MALFORMED) this.hasMalformed = true;
      if (position < end && bytes[position] === separator) {
        cell += 1;
        position += 1;
        continue;
      }
      if (position >= end && !final) break;
      if (position < end && bytes[position] === CR) {
        if (position + 1 >= end && !final) break;
        position += 1;
      }
      if (position < end) {
        position += 1;
        line += 1;
      }
      const first = this.rowCells[row] as number;
      if (this.skipsBlank && cell === first && flag === PLAIN && start === stop) {
        // The cell is written over.
      } else {
        cell += 1;
        row += 1;
        if (row + 1 >= this.rowCells.length) this.#growRows();
        this.rowLines[row - 1] = rowLine;
        this.rowCells[row] = cell;
      }
      rowStart = position;
      rowLine = line;
      this.rowCount = row;
      this.lineCount = line;
      if (position >= end) break;
    }
    return rowStart;
  }

  /** Rows of as many cells as there are columns, quoted or not. -1, as below: there are others. */
  #tokenizeInAddon(kernels: TextInputKernels, bytes: Uint8Array, final: boolean): number {
    const { columns, skipsBlank } = this;
    const { separator, quote } = this.#dialect;
    const settings = Int32Array.of(separator, quote, columns, final ? 1 : 0, skipsBlank ? 1 : 0);
    const facts = new Int32Array(4);
    const find = (): number =>
      kernels.findCsvCells(bytes, settings, this.starts, this.ends, this.flags, this.rowLines, facts);
    let outcome = find();
    for (; outcome === NO_ROOM; outcome = find()) {
      this.#growCells();
      this.#growRows();
    }
    if (outcome !== FOUND) return -1;
    const [consumed = 0, rows = 0, lines = 0, ascii = 0] = facts;
    while (this.rowCells.length <= rows + 1) this.#growRows();
    for (let row = 0; row <= rows; row += 1) this.rowCells[row] = row * columns;
    this.rowCount = rows;
    this.lineCount = lines;
    this.hasMalformed = false;
    this.isAscii = ascii === 1;
    return consumed;
  }

  /**
   * Rows of plain cells, as many as there are columns in each. -1, and nothing that counts was found: there are others.
   * Where cells end is where their stops are, so that no cell is looked at alone.
   */
  #tokenizePlain(bytes: Uint8Array, end: number, final: boolean): number {
    const { columns } = this;
    if (end === 0 || (final && bytes[end - 1] !== LF)) return -1;
    if (this.#marks.length < this.starts.length) this.#marks = new Int32Array(this.starts.length);
    const { marks, count, lineFeeds, ascii } = markStops(
      bytes,
      end,
      this.#dialect.separator,
      this.#plainStops,
      this.#marks,
    );
    this.#marks = marks;
    // Every row ends with its last cell, and there are no more rows than that.
    const cells = lineFeeds * columns;
    if (cells > count || count - cells >= columns) return -1;
    for (let last = columns - 1; last < cells; last += columns) if (bytes[marks[last] as number] !== LF) return -1;
    while (this.starts.length < marks.length) this.#growCells();
    const { starts } = this;
    starts[0] = 0;
    for (let cell = 1; cell < cells; cell += 1) starts[cell] = (marks[cell - 1] as number) + 1;
    const consumed = cells === 0 ? 0 : (marks[cells - 1] as number) + 1;
    for (let last = columns - 1; last < cells; last += columns) {
      const stop = marks[last] as number;
      if (stop > (starts[last] as number) && bytes[stop - 1] === CR) marks[last] = stop - 1;
    }
    this.#marks = this.ends;
    this.ends = marks;
    this.flags.fill(PLAIN, 0, cells);
    while (this.rowCells.length <= lineFeeds + 1) this.#growRows();
    const { rowCells, rowLines } = this;
    for (let row = 0; row <= lineFeeds; row += 1) {
      rowCells[row] = row * columns;
      rowLines[row] = row;
    }
    this.rowCount = lineFeeds;
    this.lineCount = lineFeeds;
    this.hasMalformed = false;
    this.isAscii = ascii;
    return consumed;
  }

  #growCells(): void {
    const grown = new Int32Array(2 * this.starts.length);
    grown.set(this.starts);
    this.starts = grown;
    const ends = new Int32Array(grown.length);
    ends.set(this.ends);
    this.ends = ends;
    const flags = new Uint8Array(grown.length);
    flags.set(this.flags);
    this.flags = flags;
  }

  #growRows(): void {
    const cells = new Int32Array(2 * this.rowCells.length);
    cells.set(this.rowCells);
    this.rowCells = cells;
    const lines = new Int32Array(cells.length);
    lines.set(this.rowLines);
    this.rowLines = lines;
  }
}
