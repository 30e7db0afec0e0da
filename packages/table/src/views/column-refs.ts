// The columns of a projection as those want them who read their values: by the source's numbers.
import type { ColumnRef } from '../query/bound-predicate.ts';
import type { ProjectedColumn, Projection } from './projection.ts';

export function columnRefs({ columns }: Projection): readonly ColumnRef[] {
  return columns.map(refOf);
}

export function refOf({ field, number, info }: ProjectedColumn): ColumnRef {
  return { number, name: field.name, info, nullable: field.nullable };
}

/** One column. @throws UnknownColumnError; ArgumentError for what is no name. */
export function columnRef(projection: Projection, name: string, operation: string): ColumnRef {
  return refOf(projection.at(projection.position(name, operation)));
}
