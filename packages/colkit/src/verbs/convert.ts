// convert: a file of any format -> a file of any other; several files -> as many, or one.
import { convert as converted } from '../convert/convert.ts';
import type { Done } from '../convert/convert.ts';
import { sourceEnd, targetEnd } from '../convert/ends.ts';
import type { End } from '../convert/ends.ts';
import { CONVERT_OPTIONS, requireFitting } from '../convert/options.ts';
import type { ConvertOptions } from '../convert/options.ts';
import { isTemplate, joined, namesBy } from '../convert/several.ts';
import type { Source } from '../convert/several.ts';
import { filesOrItems } from '../formats/named-files.ts';
import { count, counted } from '../terminal/terminal.ts';
import { STANDARD } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { UsageError } from '../terminal/verb.ts';
import type { Verb } from '../terminal/verb.ts';

export const convert: Verb<ConvertOptions> = {
  name: 'convert',
  summary:
    'any of .cna, .cstore, .syr, CSV, JSON, Parquet, Arrow, .npz, a folder into another; - is stdin (CSV, JSON) or ' +
    'stdout. FROM may be a pattern, TO then has {stem}, {name}, {parent} or {index:03d}, or is one .cstore file',
  arguments: ['<FROM>', '<TO>'],
  options: CONVERT_OPTIONS,
  examples: [
    'colkit convert flights.parquet flights.cna --mode smallest',
    'colkit convert orders.cna orders.cstore --columns order_id,amount --rename amount=total',
    'colkit convert events.jsonl.gz events.cna --type id=int64 --nested text',
    'colkit convert flights.cna - --to arrow | python flights.py',
    'colkit convert items.jsonl train.syr --schema label:int32,features:float32',
    "zcat orders.csv.gz | colkit convert - orders.cna --separator ';' --null NA --skip-rejected",
    "colkit convert 'runs/*.csv' 'out/{stem}.cstore' --dry-run",
  ],
  async run([from = '', named = ''], options, terminal) {
    // A file would be put in its place.
    const to = /^\/dev\/(?:stdout|fd\/1)$/u.test(named) ? STANDARD : named;
    if (to === STANDARD && options.json === true) throw new UsageError('--json: standard output is for the data');
    const conversions = await conversionsOf(from, to, options);
    for (const { sources, target } of conversions) for (const { end } of sources) requireFitting(end, target, options);
    const told: object[] = [];
    for (const conversion of conversions) told.push(await one(conversion, options, terminal));
    if (options.json === true) terminal.json(isTemplate(to) ? told : told[0]);
    return 0;
  },
};

interface Conversion {
  /** As the user said it. */
  readonly from: string;
  readonly sources: readonly Source[];
  readonly to: string;
  readonly target: End;
}

async function conversionsOf(from: string, to: string, options: ConvertOptions): Promise<readonly Conversion[]> {
  const found = from === STANDARD ? null : await filesOrItems(from);
  const several = found === 'items' ? null : found;
  const sources: Source[] = [];
  for (const path of several?.files ?? [from]) sources.push({ path, end: await sourceEnd(path, options.from) });
  if (isTemplate(to)) return conversionsOfEach(sources, to, options);
  const target = targetEnd(to, options.to);
  // Files of our own formats are one table as they are.
  if (several !== null && sources.every(({ end }) => end === 'cstore' || end === 'cna'))
    return [{ from, sources: [{ path: from, end: several.as === 'dataset' ? 'cna' : 'cstore' }], to, target }];
  if (sources.length > 1 && target !== 'cstore')
    throw new UsageError(`${to}: several files become one .cstore file, or as many by a name with {stem}`);
  return [{ from, sources, to, target }];
}

function conversionsOfEach(sources: readonly Source[], to: string, options: ConvertOptions): readonly Conversion[] {
  const paths = sources.map(({ path }) => path);
  const names = namesBy(to, paths);
  return sources.map((source, number) => {
    const name = names[number] ?? to;
    return { from: source.path, sources: [source], to: name, target: targetEnd(name, options.to) };
  });
}

async function one(conversion: Conversion, options: ConvertOptions, terminal: Terminal): Promise<object> {
  const { from, sources, to, target } = conversion;
  const [first] = sources;
  if (options.dryRun === true) {
    const source = first?.end ?? null;
    if (options.json !== true) terminal.print(`${from} (${String(source)}) -> ${to} (${target})`);
    return { from, to, source, target, files: sources.map(({ path }) => path), dryRun: true };
  }
  const start = performance.now();
  const done: Done =
    first !== undefined && sources.length === 1
      ? await converted({ from: first.path, to, source: first.end, target, options, terminal })
      : await joined(sources, to, options, terminal);
  const seconds = (performance.now() - start) / 1000;
  terminal.progress(null);
  for (const { column, key, note } of done.notes ?? []) {
    terminal.note(`${column === undefined ? 'key' : 'column'} ${JSON.stringify(column ?? key)}: ${note}`);
  }
  if (options.json !== true && to !== STANDARD)
    terminal.print(
      done.items === undefined
        ? `${to}: ${counted(done.rowCount ?? 0, 'row')}, ${count(done.byteLength ?? 0)} bytes`
        : `${to}: ${counted(done.items, 'item')} in ${seconds.toFixed(1)} s`,
    );
  return { from, to, ...done, seconds };
}
