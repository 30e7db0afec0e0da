// The same names as parts.ts, loaded when they are first asked for.
import { LazyPart } from '@colkit/io/effects';
import type { Work } from '@colkit/io/effects';
import type { AggregateOperation, AggregateSpecs } from '../aggregate/spec.ts';
import type { Cell } from '../aggregate/column-values.ts';
import type { View } from '../views/view.ts';
import type { Groups } from './answers.ts';
import type { ArrowTable } from './arrow/arrow.ts';
import type { ArrowOptions, RecordOptions } from './options.ts';
import type { RecordBatch } from './record-batch.ts';
import type { PreviewOptions } from './text/inspect-text.ts';

export type { Groups } from './answers.ts';

const answers = new LazyPart(() => import('./answers.ts'));
const records = new LazyPart(() => import('./records.ts'));
const explaining = new LazyPart(() => import('./text/explain.ts'));
const preview = new LazyPart(() => import('./text/preview.ts'));

export function* aggregatesOfView(view: View, specs: AggregateSpecs, operation: string): Work<Record<string, Cell>> {
  return yield* (yield* answers.use()).aggregatesOfView(view, specs, operation);
}

export function* columnAnswer(view: View, asked: AggregateOperation, operation: string): Work<unknown> {
  return yield* (yield* answers.use()).columnAnswer(view, asked, operation);
}

export function* countView(view: View, operation: string): Work<number> {
  return yield* (yield* answers.use()).countView(view, operation);
}

export function* groupsOfView(
  view: View,
  names: readonly string[],
  specs: AggregateSpecs,
  operation: string,
): Work<Groups> {
  return yield* (yield* answers.use()).groupsOfView(view, names, specs, operation);
}

export function* readRecords(from: View, operation: string, options?: RecordOptions): Work<RecordBatch> {
  return yield* (yield* records.use()).readRecords(from, operation, options);
}

export function* explainView(view: View, operation: string): Work<string> {
  return yield* (yield* explaining.use()).explainView(view, operation);
}

export function* previewText(from: View, operation: string, options?: PreviewOptions): Work<string> {
  return yield* (yield* preview.use()).previewText(from, operation, options);
}

export async function toArrowTable(from: View, options?: ArrowOptions): Promise<ArrowTable> {
  const arrow = await import('./arrow/arrow.ts');
  return arrow.toArrowTable(from, options);
}
