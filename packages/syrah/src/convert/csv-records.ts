// Pieces of CSV text -> records of cells (RFC 4180): quoted cells may hold commas, doubled quotes and line ends; lines end in LF, CRLF or CR; a byte order mark and empty lines are
// passed over.
import { ArgumentError } from '@colkit/io';

export interface CsvRecord {
  readonly cells: readonly string[];
  /** The line it starts on, from 1. */
  readonly line: number;
}

type State = 'start of cell' | 'plain' | 'quoted' | 'quote in quoted';

export class CsvRecords {
  readonly #path: string;
  #state: State = 'start of cell';
  #cells: string[] = [];
  #cell = '';
  /** Whether the record has had any character: an empty line is no record. */
  #begun = false;
  #line = 1;
  #startLine = 1;
  #afterReturn = false;
  #first = true;

  constructor(path: string) {
    this.#path = path;
  }

  /** The records that this piece completes. @throws ArgumentError ERR_VALUE for text behind a closing quote. */
  *push(text: string): Generator<CsvRecord> {
    for (const character of this.#first && text.startsWith('\uFEFF') ? text.slice(1) : text) {
      const record = this.#take(character);
      if (record !== null) yield record;
    }
    if (text !== '') this.#first = false;
  }

  /** The last record, where no line end follows it. @throws ArgumentError ERR_VALUE within a quoted cell. */
  *end(): Generator<CsvRecord> {
    if (this.#state === 'quoted') throw this.#fail('a closing quote', 'the end of the file');
    const record = this.#endRecord();
    if (record !== null) yield record;
  }

  #take(character: string): CsvRecord | null {
    const wasReturn = this.#afterReturn;
    this.#afterReturn = character === '\r';
    const lineEnd = character === '\n' || character === '\r';
    if (lineEnd && !(character === '\n' && wasReturn)) this.#line += 1;
    if (this.#state === 'quoted') {
      if (character === '"') this.#state = 'quote in quoted';
      else this.#cell += character;
      return null;
    }
    if (lineEnd) return character === '\n' && wasReturn ? null : this.#endRecord();
    if (!this.#begun) this.#startLine = this.#line;
    this.#begun = true;
    if (character === ',') this.#endCell();
    else if (character === '"' && this.#state !== 'plain') {
      if (this.#state === 'quote in quoted') this.#cell += '"';
      this.#state = 'quoted';
    } else {
      if (this.#state === 'quote in quoted') throw this.#fail('a comma or a line end behind a closing quote', JSON.stringify(character));
      this.#state = 'plain';
      this.#cell += character;
    }
    return null;
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#state = 'start of cell';
  }

  #endRecord(): CsvRecord | null {
    if (!this.#begun) return null;
    this.#endCell();
    const record = { cells: this.#cells, line: this.#startLine };
    this.#cells = [];
    this.#begun = false;
    return record;
  }

  #fail(expected: string, found: string): ArgumentError {
    return new ArgumentError('ERR_VALUE', `${this.#path}: line ${String(this.#line)}`, expected, found);
  }
}
