// What a file of a dataset says of itself, as a part of a table.
import type { Work } from '@colkit/io/effects';
import type { ConstantColumn, Part } from '../composite/part.ts';
import type { Field } from '../field.ts';
import type { ColumnStatistics } from '../query/proof/column-statistics.ts';
import type { TableSource } from '../source.ts';
import type { PartHead, PartPlace } from './part-format.ts';

export interface PlacedHead {
  readonly place: PartPlace;
  readonly head: PartHead;
  readonly constants: readonly ConstantColumn[];
}

export function partOf({ place, head, constants }: PlacedHead): Part {
  return new HeadPart(place.name, head, constants);
}

class HeadPart implements Part {
  readonly name: string;
  readonly constants: readonly ConstantColumn[];
  readonly #head: PartHead;

  constructor(name: string, head: PartHead, constants: readonly ConstantColumn[]) {
    this.name = name;
    this.constants = constants;
    this.#head = head;
  }

  get rowCount(): number {
    return this.#head.rowCount;
  }

  get fields(): readonly Field[] {
    return this.#head.fields;
  }

  get knowsPlans(): boolean {
    return this.#head.knowsPlans;
  }

  statisticsOf(column: number): ColumnStatistics | null {
    return this.#head.statisticsOf(column);
  }

  open(): Work<TableSource> {
    return this.#head.open();
  }

  fits(other: Part): boolean {
    return other instanceof HeadPart && this.#head.fits?.(other.#head) === true;
  }

  openWith(others: readonly Part[]): Work<TableSource> {
    const heads = others.filter((other) => other instanceof HeadPart).map((other) => other.#head);
    if (this.#head.openWith === undefined || heads.length < others.length) throw new TypeError('parts that do not fit');
    return this.#head.openWith(heads);
  }
}
