// A predicate and the pages of one stretch of rows -> which rows match. Comparisons with constants run on what is
// encoded; computed values go to the table layer's evaluation.
import { assertNever } from '@colkit/io';
import { BatchSelector, isColumnLeaf, itemsOf } from '@colkit/table';
import type { BoundNode, BoundPredicate, BoundValue, Chunk, ColumnLeaf, ColumnRef } from '@colkit/table';
import type { ColumnPage } from '../pages/opened-page.ts';
import { EntryMasks } from './entry-masks.ts';
import { pageChunk } from '../pages/page-chunk.ts';
import { integerChunk } from './page-integers.ts';
import { intervalsOf } from './intervals.ts';
import { maskByCodes } from '../../columns/encodings/dictionary/index.ts';
import { maskNode } from './mask-node.ts';
import { narrowByCodes, narrowByMask, narrowByRange, narrowedSpan } from './narrow.ts';
import { hasBytes, maskStrings } from './mask-strings.ts';
import type { StringLeaf } from './mask-strings.ts';
import { marksOf, packedRange } from './mask-vector.ts';
import { askedRows, isPresent } from '../file/rank.ts';
import { unlessRefused } from '../../columns/node.ts';
import type { Session } from '../file/session.ts';
import { spanCount } from '../file/spans.ts';
import type { Span } from '../file/spans.ts';

/** Gives the opened page of a column. */
type PageOf = (column: number) => ColumnPage;

/** Where more rows of a page than one of so many are asked for, all are decoded. */
const ROWS_PER_ASKED = 8;

export class PageFilter {
  readonly #predicate: BoundPredicate;
  readonly #session: Session;
  readonly #masks = new EntryMasks();
  readonly #computed = new Map<BoundNode, Computed>();

  constructor(predicate: BoundPredicate, session: Session) {
    this.#predicate = predicate;
    this.#session = session;
  }

  /**
   * The rows of a span for which the predicate is true, of a page of so many rows: the span narrowed, or null where
   * there are none.
   */
  narrow(span: Span, pageOf: PageOf, rowCount: number): Span | null {
    return unlessRefused(
      () => ({ span: this.#narrowed(span, pageOf, rowCount) }),
      () => ({ span: this.#ofAsked(span, pageOf) }),
    ).span;
  }

  /** By the values of the rows of the span alone, where what is encoded was refused. */
  #ofAsked(span: Span, pageOf: PageOf): Span | null {
    const asked = this.#evaluated(this.#predicate.root, spanCount(span), (column) =>
      pageChunk(pageOf(column), span, this.#session, 'dictionary'),
    );
    const rows = askedRows(span).filter((_, index) => asked[index] === 1);
    return narrowedSpan(span, rows);
  }

  #narrowed(span: Span, pageOf: PageOf, rowCount: number): Span | null {
    const { root } = this.#predicate;
    const { scratch } = this.#session;
    if (root.kind === 'compare' || root.kind === 'between' || root.kind === 'in' || root.kind === 'startsWith') {
      const page = pageOf(root.column.number);
      const byRow = page.type.domain === 'strings' && hasBytes(root) ? page.byRow : null;
      const isPlain =
        page.own === null &&
        page.validity === null &&
        page.valueCount === rowCount &&
        page.type.domain !== 'strings' &&
        page.coded() === null;
      const range =
        isPlain && (root.kind === 'compare' || root.kind === 'between')
          ? packedRange(page.vector(0, rowCount), intervalsOf(root, page.type), page.type)
          : null;
      if (range !== null) return narrowByRange(span, range, scratch);
      if (byRow !== null) {
        const { entries, joint } = byRow;
        return joint === null
          ? narrowByCodes(span, byRow.codes, this.#masks.of(root, entries, page.type), scratch)
          : narrowByCodes(span, joint.codes, this.#masks.ofCodes(root, entries, joint.indexes, page.type), scratch);
      }
    }
    if (isComputed(root)) return this.#computedRows(root, span, pageOf, rowCount);
    return narrowByMask(span, this.#node(root, pageOf, rowCount), scratch);
  }

  /** Of a span with few rows of the page, the others are not decoded. */
  #computedRows(root: BoundNode, span: Span, pageOf: PageOf, rowCount: number): Span | null {
    const { start, end, picks } = span;
    if (spanCount(span) * ROWS_PER_ASKED < rowCount) return this.#ofAsked(span, pageOf);
    const asked = picks === null && end - start === rowCount ? undefined : new Int32Array(askedRows(span));
    const { columns, selector } = this.#selectorOf(root);
    const chunks = new Map(columns.map((number) => [number, wholePage(pageOf(number), this.#session)]));
    return narrowedSpan(span, new Uint32Array(selector.select({ rowCount, columns: chunks }, asked)));
  }

  #node(node: BoundNode, pageOf: PageOf, rowCount: number): Uint8Array {
    switch (node.kind) {
      case 'constant':
        return new Uint8Array(rowCount).fill(Number(node.matches));
      case 'and': {
        const mask = this.#node(node.terms[0] as BoundNode, pageOf, rowCount);
        for (let term = 1; term < node.terms.length && mask.includes(1); term++) {
          const other = this.#node(node.terms[term] as BoundNode, pageOf, rowCount);
          for (let row = 0; row < rowCount; row++) mask[row] = (mask[row] as number) & (other[row] as number);
        }
        return mask;
      }
      case 'or': {
        const mask = this.#node(node.terms[0] as BoundNode, pageOf, rowCount);
        for (let term = 1; term < node.terms.length && mask.includes(0); term++) {
          const other = this.#node(node.terms[term] as BoundNode, pageOf, rowCount);
          for (let row = 0; row < rowCount; row++) mask[row] = (mask[row] as number) | (other[row] as number);
        }
        return mask;
      }
      case 'not':
        return isColumnLeaf(node.term)
          ? this.#leaf(node.term, pageOf(node.term.column.number), rowCount, node)
          : this.#batch(node, pageOf, rowCount);
      case 'compareValues':
      case 'inValues':
      case 'isNullValue':
        return this.#batch(node, pageOf, rowCount);
      default:
        return this.#leaf(node, pageOf(node.column.number), rowCount, node);
    }
  }

  /**
   * One byte a row. A row that is null matches neither a leaf nor its `not`, unless the leaf asks for nulls.
   * @param node the leaf, or its `not`.
   */
  #leaf(leaf: ColumnLeaf, page: ColumnPage, rowCount: number, node: BoundNode): Uint8Array {
    const negated = node !== leaf;
    const { validity, valueCount } = page;
    const { scratch } = this.#session;
    if (leaf.kind === 'isNull') {
      const mask = scratch.zeros(rowCount);
      if (valueCount === rowCount) return negated ? mask.fill(1) : mask;
      for (let row = 0; row < rowCount; row++)
        mask[row] = Number((validity === null || !isPresent(validity, row)) !== negated);
      return mask;
    }
    if (valueCount === 0) return scratch.zeros(rowCount);
    const values = this.#values(leaf, page);
    if (values === null) return this.#batch(node, () => page, rowCount);
    const yes = negated ? 0 : 1;
    if (validity === null) {
      if (!negated) return values;
      for (let row = 0; row < rowCount; row++) values[row] = 1 - (values[row] as number);
      return values;
    }
    const mask = scratch.zeros(rowCount);
    for (let row = 0, value = 0; row < rowCount; row++)
      if (isPresent(validity, row)) mask[row] = Number(values[value++] === yes);
    return mask;
  }

  /** One byte a value, to be written over; null where the leaf cannot be looked for in what is encoded. */
  #values(leaf: Exclude<ColumnLeaf, { kind: 'isNull' }>, page: ColumnPage): Uint8Array | null {
    if (page.type.domain === 'strings') return this.#stringValues(leaf, page);
    if (leaf.kind === 'startsWith' || leaf.kind === 'like') return null;
    const coded = page.coded();
    if (coded !== null)
      return maskByCodes(this.#masks.of(leaf, coded.entries, page.type), coded.codes, this.#session.scratch);
    const { own } = page;
    const marks = marksOf(leaf, page.type);
    if (own !== null) return own.root === null ? null : maskNode(own.root, own.decoder, marks);
    const mask = this.#session.scratch.zeros(page.valueCount);
    marks(page.vector(0, page.valueCount), mask);
    return mask;
  }

  #stringValues(leaf: StringLeaf, page: ColumnPage): Uint8Array | null {
    if (!hasBytes(leaf)) return null;
    const strings = page.strings(0, page.valueCount);
    return strings.kind === 'coded'
      ? maskByCodes(this.#masks.of(leaf, strings.entries, page.type), strings.codes, this.#session.scratch)
      : maskStrings(leaf, strings);
  }

  #batch(root: BoundNode, pageOf: PageOf, rowCount: number): Uint8Array {
    return this.#evaluated(root, rowCount, (column) => wholePage(pageOf(column), this.#session));
  }

  /** One byte a row. */
  #evaluated(root: BoundNode, rowCount: number, chunkOf: (column: number) => Chunk): Uint8Array {
    const { columns, selector } = this.#selectorOf(root);
    return selector.mask({ rowCount, columns: new Map(columns.map((number) => [number, chunkOf(number)])) });
  }

  #selectorOf(root: BoundNode): Computed {
    let computed = this.#computed.get(root);
    if (computed === undefined) {
      const refs = [...refsOf(root).values()];
      const columns = refs.map(({ number }) => number);
      computed = { columns, selector: new BatchSelector({ columns, refs, text: this.#predicate.text, root }) };
      this.#computed.set(root, computed);
    }
    return computed;
  }
}

/** What is evaluated by the table layer, page after page. */
interface Computed {
  readonly columns: readonly number[];
  readonly selector: BatchSelector;
}

/** Whether something has to be computed before it is compared. */
function isComputed(node: BoundNode): boolean {
  const leaf = node.kind === 'not' ? node.term : node;
  return leaf.kind === 'compareValues' || leaf.kind === 'inValues' || leaf.kind === 'isNullValue';
}

/** A page's values as the table layer evaluates them. */
function wholePage(page: ColumnPage, session: Session): Chunk {
  const span = { group: 0, page: 0, start: 0, end: page.rowCount, picks: null, to: 0, positions: null };
  const chunk = (): Chunk => pageChunk(page, span, session, 'dictionary');
  return integerChunk(page, () => itemsOf(chunk())) ?? chunk();
}

/** The columns that a node reads, by number. */
function refsOf(node: BoundNode): ReadonlyMap<number, ColumnRef> {
  const refs = new Map<number, ColumnRef>();
  const ofNode = (each: BoundNode): void => {
    switch (each.kind) {
      case 'constant':
        return;
      case 'and':
      case 'or':
        each.terms.forEach(ofNode);
        return;
      case 'not':
        ofNode(each.term);
        return;
      case 'compareValues':
        ofValue(each.left);
        ofValue(each.right);
        return;
      case 'inValues':
      case 'isNullValue':
        ofValue(each.value);
        return;
      default:
        refs.set(each.column.number, each.column);
    }
  };
  const ofValue = (value: BoundValue): void => {
    switch (value.kind) {
      case 'column':
        refs.set(value.column.number, value.column);
        return;
      case 'literal':
        return;
      case 'arithmetic':
        ofValue(value.left);
        ofValue(value.right);
        return;
      case 'call':
        value.args.forEach(ofValue);
        return;
      case 'truth':
        ofNode(value.whenTrue);
        ofNode(value.whenFalse);
        return;
      default:
        assertNever(value);
    }
  };
  ofNode(node);
  return refs;
}
