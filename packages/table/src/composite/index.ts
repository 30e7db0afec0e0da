// Many sources as one table.
export { CompositeTable } from './composite-table.ts';
export type { JoinedReads } from './composite-table.ts';
export type { ConstantColumn, Part } from './part.ts';
export { uniteFields } from './unite-fields.ts';
export type { OnMismatch, PartColumn, UnitedFields } from './unite-fields.ts';
