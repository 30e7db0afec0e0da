// Cells and rows in bytes, against a tokenizer that goes character by character, in windows that end anywhere.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ESCAPED, MALFORMED, PLAIN, QUOTED } from '../../src/text-input/cells/cell-flags.ts';
import { Tokenizer } from '../../src/csv/cells/tokenizer.ts';

interface Cell {
  readonly text: string;
  readonly quoted: boolean;
}

/** Null for a row with broken quotes. Blank lines are left out. */
type Row = readonly Cell[] | null;

function naive(text: string, separator: string): Row[] {
  const rows: Row[] = [];
  let at = 0;
  while (at < text.length) {
    const cells: Cell[] = [];
    let broken = false;
    for (;;) {
      let cell: Cell;
      if (text[at] === '"') {
        let value = '';
        at += 1;
        while (at < text.length && !(text[at] === '"' && text[at + 1] !== '"')) {
          if (text[at] === '"') at += 1;
          value += text[at] ?? '';
          at += 1;
        }
        if (at >= text.length) broken = true;
        at += 1;
        cell = { text: value, quoted: true };
        while (at < text.length && text[at] !== separator && text[at] !== '\n' && !text.startsWith('\r\n', at)) {
          broken = true;
          at += 1;
        }
      } else {
        let value = '';
        while (at < text.length && text[at] !== separator && text[at] !== '\n' && !text.startsWith('\r\n', at))
          value += text[at++]!;
        cell = { text: value, quoted: false };
      }
      cells.push(cell);
      if (text[at] !== separator) break;
      at += 1;
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    if (cells.length === 1 && cells[0]!.text === '' && !cells[0]!.quoted) continue;
    rows.push(broken ? null : cells);
  }
  return rows;
}

function rowsOf(tokenizer: Tokenizer, bytes: Uint8Array): Row[] {
  return Array.from({ length: tokenizer.rowCount }, (_, row) => {
    const cells: Cell[] = [];
    for (let cell = tokenizer.rowCells[row]!; cell < tokenizer.rowCells[row + 1]!; cell += 1) {
      const flag = tokenizer.flags[cell]!;
      if (flag === MALFORMED) return null;
      const text = new TextDecoder().decode(bytes.subarray(tokenizer.starts[cell], tokenizer.ends[cell]));
      cells.push({ text: flag === ESCAPED ? text.replaceAll('""', '"') : text, quoted: flag !== PLAIN });
    }
    return cells;
  });
}

const texts = fc
  .array(
    fc.constantFrom('a', 'b,', ',', '\n', '\r\n', '\r', '"', '""', '"x"', '"x,y"', '"x\ny"', '"x""y"', ',""', 'é', ' '),
    { maxLength: 25 },
  )
  .map((parts) => parts.join(''));

describe('tokenizer', () => {
  it('finds what the slow one finds, whole', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const bytes = new TextEncoder().encode(text);
        const tokenizer = new Tokenizer({ separator: 44, quote: 34 });
        expect(tokenizer.tokenize(bytes, bytes.length, true)).toBe(bytes.length);
        expect(rowsOf(tokenizer, bytes)).toEqual(naive(text, ','));
      }),
      { numRuns: 3000 },
    );
  });

  it('also where it is told how many cells rows should have, true or not', () => {
    const plain = fc
      .array(
        fc.array(fc.constantFrom('', 'a', 'bc', '\r', '-', ' ', 'é', '+', 'x'.repeat(20)), {
          minLength: 2,
          maxLength: 2,
        }),
        { maxLength: 30 },
      )
      .chain((rows) => fc.constantFrom('\n', '\r\n').map((end) => rows.map((cells) => cells.join(',') + end).join('')));
    for (const separator of [',', ';', '\t', '|']) {
      fc.assert(
        fc.property(
          fc.oneof(plain, texts),
          fc.integer({ min: 1, max: 3 }),
          fc.boolean(),
          fc.nat(9),
          (commas, columns, isCut, offset) => {
            const text = (isCut ? commas.replace(/\r?\n$/u, '') : commas).replaceAll(',', separator);
            const bytes = new TextEncoder().encode(`${'"'.repeat(offset)}${text}`).subarray(offset);
            const [told, other] = [0, 1].map(
              () => new Tokenizer({ separator: separator.charCodeAt(0), quote: 34 }),
            ) as [Tokenizer, Tokenizer];
            told.columns = columns;
            told.skipsBlank = columns > 1;
            other.skipsBlank = columns > 1;
            for (const final of [true, false]) {
              expect(told.tokenize(bytes, bytes.length, final)).toBe(other.tokenize(bytes, bytes.length, final));
              expect(rowsOf(told, bytes)).toEqual(rowsOf(other, bytes));
              expect([told.lineCount, ...told.rowLines.subarray(0, told.rowCount)]).toEqual([
                other.lineCount,
                ...other.rowLines.subarray(0, other.rowCount),
              ]);
            }
          },
        ),
        { numRuns: 500 },
      );
    }
  });

  it('and in windows that end anywhere, with the same lines', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(12), { minLength: 1, maxLength: 4 }), (text, steps) => {
        const bytes = new TextEncoder().encode(text);
        const tokenizer = new Tokenizer({ separator: 44, quote: 34 });
        const whole = new Tokenizer({ separator: 44, quote: 34 });
        whole.tokenize(bytes, bytes.length, true);
        const rows: Row[] = [];
        const lines: number[] = [];
        let [start, size, line] = [0, 1, 0];
        for (let turn = 0; start < bytes.length; turn += 1) {
          const end = Math.min(bytes.length, start + size);
          // What lies beyond the window is not looked at.
          const window = new Uint8Array(size + 8).fill(34);
          window.set(bytes.subarray(start, end));
          const consumed = tokenizer.tokenize(window, end - start, end === bytes.length);
          rows.push(...rowsOf(tokenizer, window));
          lines.push(...Array.from(tokenizer.rowLines.subarray(0, tokenizer.rowCount), (own) => own + line));
          line += tokenizer.lineCount;
          start += consumed;
          size = consumed === 0 ? size + 1 : steps[turn % steps.length]! + 1;
        }
        expect(rows).toEqual(naive(text, ','));
        expect(lines).toEqual([...whole.rowLines.subarray(0, whole.rowCount)]);
      }),
      { numRuns: 2000 },
    );
  });

  it('tells how cells were written, and stops after as many rows as are wanted', () => {
    const bytes = new TextEncoder().encode("1|'a'|'b''c'|x'y\n2\n");
    const tokenizer = new Tokenizer({ separator: '|'.charCodeAt(0), quote: "'".charCodeAt(0) });
    expect(tokenizer.tokenize(bytes, bytes.length, true, 1)).toBe(17);
    expect([...tokenizer.flags.subarray(0, 4)]).toEqual([PLAIN, QUOTED, ESCAPED, PLAIN]);
    expect(tokenizer.rowCount).toBe(1);
  });

  it('grows for wide rows and many rows', () => {
    const bytes = new TextEncoder().encode(`${'1,'.repeat(5000)}1\n`.repeat(3) + 'a\n'.repeat(5000));
    const tokenizer = new Tokenizer({ separator: 44, quote: -1 });
    tokenizer.tokenize(bytes, bytes.length, true);
    expect(tokenizer.rowCount).toBe(5003);
    expect(tokenizer.rowCells[3]).toBe(15_003);
  });
});
