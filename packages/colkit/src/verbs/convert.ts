// convert: a file of any format -> a file of any other.
import { convert as converted } from '../convert/convert.ts';
import { sourceEnd, targetEnd } from '../convert/ends.ts';
import { CONVERT_OPTIONS, requireFitting } from '../convert/options.ts';
import type { ConvertOptions } from '../convert/options.ts';
import { count, counted } from '../terminal/terminal.ts';
import type { Verb } from '../terminal/verb.ts';

export const convert: Verb<ConvertOptions> = {
  name: 'convert',
  summary:
    'any of .cna, .cstore, .syr, CSV, JSON lines, Parquet, Arrow, a folder into another; CSV also from - (stdin)',
  arguments: ['<FROM>', '<TO>'],
  options: CONVERT_OPTIONS,
  examples: [
    'colkit convert flights.parquet flights.cna --mode smallest',
    'colkit convert orders.cna orders.cstore --columns order_id,amount',
    'colkit convert items.jsonl train.syr --schema label:int32,features:float32',
    "zcat orders.csv.gz | colkit convert - orders.cna --separator ';' --null NA --skip-rejected",
  ],
  async run([from = '', to = ''], options, terminal) {
    const target = targetEnd(to, options.to);
    const source = await sourceEnd(from, options.from);
    requireFitting(source, target, options);
    const start = performance.now();
    const done = await converted({ from, to, source, target, options, terminal });
    const seconds = (performance.now() - start) / 1000;
    terminal.progress(null);
    for (const { column, key, note } of done.notes ?? []) {
      terminal.note(`${column === undefined ? 'key' : 'column'} ${JSON.stringify(column ?? key)}: ${note}`);
    }
    if (options.json === true) terminal.json({ from, to, ...done, seconds });
    else if (done.items !== undefined)
      terminal.print(`${to}: ${counted(done.items, 'item')} in ${seconds.toFixed(1)} s`);
    else terminal.print(`${to}: ${counted(done.rowCount ?? 0, 'row')}, ${count(done.byteLength ?? 0)} bytes`);
    return 0;
  },
};
