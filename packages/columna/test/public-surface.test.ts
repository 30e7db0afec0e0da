// The names that users can import, from every entry point: values and types. A change here is a change of the package's
// promise.
import { readFileSync } from 'node:fs';
import { expect, expectTypeOf, it } from 'vitest';
import * as columna from '../src/index.ts';
import * as inspect from '../src/inspect/index.ts';
import type { ScanStats, Table } from '../src/index.ts';

interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, unknown>>>>;
  readonly publishConfig: { readonly exports: Manifest['exports'] };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Manifest;

/** The names of types that a module exports, as its text says. */
function typesOf(file: string): string[] {
  const text = readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8');
  const lists = [...text.matchAll(/^export type \{([^}]*)\}/gms)].flatMap(([, list]) =>
    (list ?? '').split(',').map((name) => name.trim().replace(/^.* as /, '')),
  );
  const own = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name ?? '');
  return [...lists, ...own].filter((name) => name !== '').sort();
}

function without(left: string, target: Manifest['exports'][string]): unknown {
  if (typeof target === 'string') return target;
  return Object.fromEntries(Object.entries(target).filter(([condition]) => condition !== left));
}

it('has these entry points, for TypeScript and as published', () => {
  expect(Object.keys(manifest.exports)).toEqual(['.', './inspect', './package.json']);
  const published = Object.entries(manifest.exports).map(([name, target]) => [name, without('@colkit/source', target)]);
  // What CommonJS requires is made when the package is packed.
  const shared = Object.entries(manifest.publishConfig.exports).map(([name, target]) => [
    name,
    without('require', target),
  ]);
  expect(shared).toEqual(published);
  const required = Object.values(manifest.publishConfig.exports).map((target) =>
    typeof target === 'string' ? undefined : target['require'],
  );
  const of = (entry: string): object => ({ types: `./require/${entry}.d.cts`, default: `./require/${entry}.cjs` });
  expect(required).toEqual([of('index'), of('inspect'), undefined]);
});

it('needs nothing of third parties but what compresses in browsers', () => {
  expect(Object.keys(manifest.dependencies)).toEqual(['@colkit/io', '@colkit/table', 'fflate']);
  expect(
    Object.keys(manifest.peerDependencies).filter((name) => manifest.peerDependenciesMeta[name]?.optional !== true),
  ).toEqual([]);
});

it('exports these names', () => {
  expect(Object.keys(columna).sort()).toEqual([
    'ArgumentError',
    'CannotViewError',
    'ClosedError',
    'ColkitError',
    'Column',
    'ColumnaWriter',
    'CorruptFileError',
    'Dataset',
    'Expression',
    'GroupedScan',
    'IoError',
    'LimitError',
    'MemorySink',
    'NAT',
    'OutOfRangeError',
    'QueryError',
    'RecordBatch',
    'Scan',
    'ScanResult',
    'Table',
    'TypedValues',
    'UnknownColumnError',
    'UnsupportedError',
    'append',
    'appendSync',
    'appender',
    'appenderSync',
    'backendInfo',
    'cnaParts',
    'col',
    'commit',
    'create',
    'createSync',
    'edit',
    'fromDate',
    'fromISO',
    'history',
    'inspect',
    'inspectSync',
    'isColkitError',
    'maxWorkers',
    'mergePartials',
    'open',
    'openDataset',
    'openDatasetSync',
    'openSource',
    'openSourceSync',
    'openSync',
    'openTask',
    'partial',
    'read',
    'readSync',
    'recover',
    'recoverSync',
    'runTask',
    'scan',
    'scanSync',
    'setDefaultBackend',
    'setDefaultMadvise',
    'setMaxWorkers',
    'toDate',
    'toISO',
    'typed',
    'vacuum',
    'verify',
    'verifySync',
    'write',
    'writeCsv',
    'writePart',
    'writeSync',
  ]);
  expect([...typesOf('index.ts'), ...typesOf('reading.ts')].sort()).toEqual([
    'AggregateSpec',
    'AggregateSpecs',
    'AggregateValue',
    'AggregatesOf',
    'AnyTable',
    'AppendOptions',
    'ApplyOptions',
    'ArrowTable',
    'BackendInfo',
    'BitmapColumn',
    'Candidate',
    'Cell',
    'CellOf',
    'Checkpoint',
    'Choice',
    'ChunkReport',
    'ColkitErrorCode',
    'ColumnFunction',
    'ColumnNote',
    'ColumnResult',
    'ColumnSummary',
    'ColumnType',
    'ColumnaEdit',
    'ColumnsResult',
    'CommitOptions',
    'CommitTarget',
    'Committed',
    'ConditionOptions',
    'CreateOptions',
    'CutFlow',
    'CutFlowStep',
    'DType',
    'DatasetFile',
    'DatasetInput',
    'DatasetOptions',
    'DerivedValue',
    'DerivedValues',
    'DictionaryColumn',
    'EditWriter',
    'EncodingOptions',
    'ExpectedSchema',
    'Field',
    'FileHandle',
    'Float16ArrayLike',
    'ForcedEncoding',
    'GroupedColumns',
    'GroupedResult',
    'GroupedTable',
    'GroupedTableColumns',
    'HistoryEntry',
    'InspectOptions',
    'InspectedBound',
    'InspectedChunk',
    'InspectedColumn',
    'InspectedFile',
    'InspectedPage',
    'InspectedRowGroup',
    'InspectedStatistics',
    'InspectedValue',
    'NamedColumns',
    'NamedValues',
    'OpenOptions',
    'OpenTaskOptions',
    'Openable',
    'Operand',
    'PageReport',
    'PartFormat',
    'PartReference',
    'PartialState',
    'PartialTask',
    'PartitionType',
    'Predicate',
    'QueryParams',
    'RandomAccessSource',
    'ReadLimits',
    'ReadOptions',
    'RecoverOptions',
    'Recovery',
    'ReportOptions',
    'RowGroupReport',
    'RowOf',
    'ScanOptions',
    'ScanStats',
    'ScannedColumns',
    'SchemaInput',
    'Sink',
    'SourceOptions',
    'Split',
    'SplitOptions',
    'StreamOptions',
    'TableEdit',
    'TableInput',
    'TableTypes',
    'Task',
    'TaskOptions',
    'TypesOf',
    'VacuumOptions',
    'Vacuumed',
    'VerifyReport',
    'ViewOf',
    'WriteBatches',
    'WriteCsvOptions',
    'WriteCsvReport',
    'WriteInput',
    'WriteMode',
    'WriteOptions',
    'WritePartOptions',
    'WriteProgress',
    'WriteReport',
    'WriteTarget',
  ]);
});

it('exports these names from columna/inspect', () => {
  expect([Object.keys(inspect).sort(), typesOf('inspect/index.ts')]).toEqual([
    ['Pushdown', 'overview', 'pushdownFooter'],
    [
      'GroupOutcome',
      'Overview',
      'OverviewOptions',
      'PushdownFooter',
      'PushdownFooterOptions',
      'PushdownOutcome',
      'PushdownStats',
      'Skipped',
    ],
  ]);
});

it('every function that touches a file has a Sync twin, but for what reads CSV and what commits', () => {
  const functions = Object.entries(columna)
    .filter(([name, value]) => typeof value === 'function' && /^[a-z]/.test(name) && !name.endsWith('Sync'))
    .map(([name]) => name);
  const without = functions.filter((name) => !(`${name}Sync` in columna));
  expect(without.sort()).toEqual([
    'backendInfo',
    'col',
    'commit',
    'edit',
    'fromDate',
    'fromISO',
    'history',
    'isColkitError',
    'maxWorkers',
    'mergePartials',
    'openTask',
    'partial',
    'runTask',
    'setDefaultBackend',
    'setDefaultMadvise',
    'setMaxWorkers',
    'toDate',
    'toISO',
    'typed',
    'vacuum',
    'writeCsv',
    'writePart',
  ]);
});

it('the methods are these', () => {
  const methods = (type: { prototype: object }): string[] => Object.getOwnPropertyNames(type.prototype).sort();
  expect(methods(columna.Scan)).toEqual([
    'agg',
    'aggSync',
    'constructor',
    'count',
    'countSync',
    'explain',
    'explainSync',
    'groupBy',
    'max',
    'maxSync',
    'mean',
    'meanSync',
    'min',
    'minSync',
    'run',
    'runSync',
    'sum',
    'sumSync',
    'then',
  ]);
  expect(methods(columna.GroupedScan)).toEqual(['agg', 'aggSync', 'constructor']);
  expect(methods(columna.ScanResult)).toEqual(['constructor', 'explain', 'summary']);
  expect(methods(columna.ColumnaWriter)).toEqual([
    'abort',
    'abortSync',
    'checkpoint',
    'checkpointSync',
    'close',
    'closeSync',
    'closed',
    'constructor',
    'lastCheckpoint',
    'rowCount',
    'write',
    'writeSync',
  ]);
});

it('the types are as documented', () => {
  expectTypeOf<keyof ScanStats>().toEqualTypeOf<
    'matched' | 'scanned' | 'groups' | 'groupsSkipped' | 'pagesSkipped' | 'bytesRead'
  >();
  expectTypeOf<Awaited<ReturnType<typeof columna.open>>>().toExtend<Pick<Table, 'rowCount' | 'columnNames'>>();
  expectTypeOf<Awaited<ReturnType<typeof columna.write>>>().toEqualTypeOf<columna.WriteReport>();
});
