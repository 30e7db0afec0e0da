// The files of a dataset as one table: what they say of themselves is read when it is opened, or comes from the
// manifest; their values when they are needed.
import { ArgumentError, UnsupportedError } from '@colkit/io';
import { TURN, begin, operationOf, wait } from '@colkit/io/effects';
import type { Begun, Work } from '@colkit/io/effects';
import { CompositeTable } from '../composite/composite-table.ts';
import type { ConstantColumn } from '../composite/part.ts';
import { uniteFields } from '../composite/unite-fields.ts';
import type { OnMismatch, UnitedFields } from '../composite/unite-fields.ts';
import type { Field } from '../field.ts';
import type { DatasetRoot, GivenDataset } from './dataset-files.ts';
import type { Manifest } from './manifest.ts';
import { partOf } from './head-part.ts';
import { KnownHead } from './known-head.ts';
import type { HeldRoom, PartFormat, PartHead, PartOptions, PartPlace } from './part-format.ts';
import { pathColumns, valuesOfPath } from './path-values.ts';
import type { PartitionType, PathValues } from './path-values.ts';
import { SmallParts } from './small-parts.ts';

/** Files whose footers are read at the same time. */
const READ_AHEAD = 8;

export interface SourceSettings {
  readonly formats: readonly PartFormat[];
  readonly onMismatch: OnMismatch;
  /** false: paths say nothing. */
  readonly partitions: false | Readonly<Record<string, PartitionType>>;
  readonly maxOpen: number | undefined;
  readonly backend: 'auto' | 'native' | 'js' | undefined;
  readonly held: HeldRoom;
}

/** One file of a dataset. */
export interface DatasetPart {
  readonly place: PartPlace;
  readonly format: PartFormat;
  readonly head: PartHead;
  readonly constants: readonly ConstantColumn[];
}

export class DatasetSource extends CompositeTable {
  readonly files: readonly DatasetPart[];
  /** Of the manifest that it was opened from; null: there was none. */
  readonly manifest: Manifest | null;
  readonly united: UnitedFields;

  constructor(
    name: string,
    files: readonly DatasetPart[],
    settings: Pick<SourceSettings, 'onMismatch' | 'maxOpen'>,
    manifest: Manifest | null,
  ) {
    const parts = files.map(partOf);
    const united = uniteFields(parts, settings.onMismatch);
    super(name, parts, united, null, settings.maxOpen);
    this.files = files;
    this.manifest = manifest;
    this.united = united;
  }
}

/** @throws what reading a file throws; ArgumentError ERR_SCHEMA. */
export function* datasetSource(given: GivenDataset, settings: SourceSettings): Work<DatasetSource> {
  const files =
    given.kind === 'files'
      ? yield* readFiles(given.files, settings)
      : partsOfManifest(given.root, given.manifest, settings);
  const name = given.kind === 'files' ? given.name : given.root.name;
  return new DatasetSource(name, files, settings, given.kind === 'files' ? null : given.manifest);
}

function* readFiles(
  given: readonly { readonly place: PartPlace; readonly path: string }[],
  settings: SourceSettings,
): Work<readonly DatasetPart[]> {
  const formats = given.map(({ path }) => formatOf(path, settings.formats));
  const places = given.map(({ place }) => place);
  const heads = yield* readHeads(places, formats, partOptions(settings));
  const none: PathValues = new Map();
  const { partitions } = settings;
  const constants = pathColumns(
    given.map(({ path }) => (partitions === false ? none : valuesOfPath(path))),
    partitions === false ? undefined : partitions,
  );
  const shared = new Map<string, readonly Field[]>();
  return given.map(
    ({ place }, index): DatasetPart => ({
      place,
      format: formats[index] as PartFormat,
      head: shareFields(heads[index] as PartHead, shared, heads[index - 1]),
      constants: constants[index] ?? [],
    }),
  );
}

function* readHeads(
  places: readonly PartPlace[],
  formats: readonly PartFormat[],
  options: PartOptions,
): Work<readonly PartHead[]> {
  const heads: PartHead[] = [];
  const ahead: { readonly index: number; readonly begun: Begun<PartHead> }[] = [];
  const small = new SmallParts(places, formats, options);
  let known = options;
  const keep = (index: number, head: PartHead): void => {
    heads[index] = head;
    if (head.fields !== known.like?.fields) known = { ...options, like: head };
  };
  for (let first = 0; first < places.length; ) {
    const files = yield* small.next();
    for (const [offset, bytes] of files.entries()) {
      const index = first + offset;
      const [place, format] = [places[index] as PartPlace, formats[index] as PartFormat];
      // What is in memory is not waited for.
      const head = bytes === null ? null : (format.parse?.(place, bytes, known) ?? null);
      if (head !== null) {
        keep(index, head);
        continue;
      }
      const { like } = known;
      const own = like === undefined ? options : { ...options, like };
      ahead.push({ index, begun: yield* begin(operationOf(() => format.read(place, own))) });
      const begun = ahead.length >= READ_AHEAD ? ahead.shift() : undefined;
      if (begun !== undefined) keep(begun.index, yield* wait(begun.begun));
      yield TURN;
    }
    first += files.length;
    yield TURN;
  }
  for (const { index, begun } of ahead) heads[index] = yield* wait(begun);
  return heads;
}

export function partOptions({ backend, held }: Pick<SourceSettings, 'backend' | 'held'>): PartOptions {
  return backend === undefined ? { held } : { backend, held };
}

/** By the ending of a path; a file of another name is one of the first format. */
export function formatOf(path: string, formats: readonly PartFormat[]): PartFormat {
  const found = formats.find(({ extension }) => path.endsWith(extension)) ?? formats[0];
  if (found === undefined) throw new ArgumentError('ERR_ARGUMENT', 'formats', 'a format at least', 'none');
  return found;
}

/** Files of one schema share its fields, which makes comparing them cheap. */
function shareFields(head: PartHead, shared: Map<string, readonly Field[]>, like?: PartHead): PartHead {
  if (head.fields === like?.fields) return head;
  const key = JSON.stringify(head.fields);
  const fields = shared.get(key);
  if (fields === undefined) shared.set(key, head.fields);
  else (head as { fields: readonly Field[] }).fields = fields;
  return head;
}

function partsOfManifest(root: DatasetRoot, manifest: Manifest, settings: SourceSettings): readonly DatasetPart[] {
  const { parts, schemas } = manifest;
  const constants = pathColumns(
    parts.map(({ partition }) => new Map(settings.partitions === false ? [] : Object.entries(partition))),
    settings.partitions === false
      ? undefined
      : {
          ...(parts.length === 0 ? {} : (manifest.partitions as Record<string, PartitionType>)),
          ...settings.partitions,
        },
  );
  return parts.map((part, index): DatasetPart => {
    const place = root.placeOf(part.key);
    const format = settings.formats.find(({ name }) => name === part.format);
    if (format === undefined)
      throw new UnsupportedError(
        'ERR_FEATURE',
        part.format,
        `${place.name}: its format, ${JSON.stringify(part.format)}, is unknown here; give it in { formats }`,
      );
    const head = new KnownHead(place, format, part, schemas[part.schema] ?? [], partOptions(settings));
    return { place, format, head, constants: constants[index] ?? [] };
  });
}
