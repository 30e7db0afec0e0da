// Which Sync forms builds for browsers have at once, which after something was opened, and which after the same was
// asked for by the form that is awaited. docs/guide/browsers.md says so.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const HERE = fileURLToPath(new URL('../..', import.meta.url));
/** Makes a file of each format in memory. */
const FILES = `
  import * as columna from 'columna';
  import * as colstore from 'colstore';
  import * as syrah from 'syrah';
  const bytesOf = async (write) => {
    const sink = new columna.MemorySink();
    await write(sink);
    return sink.bytes();
  };
  const found = {};
  const ask = (name, form) => {
    try {
      form();
      found[name] = 'ok';
    } catch (error) {
      found[name] = error.code ?? String(error);
    }
  };
`;
const CNA =
  "const cna = await bytesOf((sink) => columna.write(sink, { x: Int32Array.of(1, 2, 3), s: ['a', 'b', 'a'] }));";
const CSTORE = 'const cstore = await bytesOf((sink) => colstore.write(sink, { x: Int32Array.of(1, 2, 3) }));';
const SYR = `const syr = await bytesOf(async (sink) => {
  const writer = await syrah.create(sink);
  for (const x of [1, 2]) await writer.addItem({ x: Float32Array.of(x) });
  await writer.close();
});`;

/** What became of each form. */
function outcomes(program: string): Record<string, string> {
  const text = `${FILES}${program}\nconsole.log(JSON.stringify(found));`;
  const parameters = ['--conditions=browser', '--input-type=module', '-e', text];
  return JSON.parse(execFileSync(process.execPath, parameters, { cwd: HERE, encoding: 'utf8' })) as never;
}

test('what a program imports as a Sync form is there from the start', () => {
  expect(
    outcomes(`${CNA} ${CSTORE} ${SYR}
      ask('readSync', () => columna.readSync(cna));
      ask('openSync', () => columna.openSync(cna).toRowsSync());
      ask('scanSync', () => columna.scanSync(cna));
      ask('inspectSync', () => columna.inspectSync(cna));
      ask('colstore', () => colstore.openSync(cstore).toColumnsSync());
      ask('syrah', () => syrah.openSync(syr).gatherItemsSync([0, 1], 'x'));`),
  ).toEqual({ readSync: 'ok', openSync: 'ok', scanSync: 'ok', inspectSync: 'ok', colstore: 'ok', syrah: 'ok' });
});

test('methods: values after opening, a scan too; questions after the same form was awaited once', () => {
  const questions = `
    ask('countSync', () => table.where('x > 1').countSync());
    ask('sumSync', () => table.column('x').sumSync());
    ask('aggSync', () => table.groupBy('s').aggSync({ n: 'count' }));
    ask('orderBy', () => table.orderBy('x').toColumnsSync());
    ask('previewSync', () => table.previewSync());
    ask('json', () => table.toRowsSync({ json: true }));`;
  const late = ['countSync', 'sumSync', 'aggSync', 'orderBy', 'previewSync', 'json'];
  const all = (outcome: string): unknown => Object.fromEntries(late.map((name) => [name, outcome]));
  const opened = `${CNA}
    const first = columna.scan(cna, {});
    ask('before', () => first.runSync());
    const table = await columna.open(cna);
    ask('toColumnsSync', () => table.toColumnsSync());
    ask('runSync', () => columna.scan(cna, {}).runSync());`;
  const values = { before: 'ERR_FEATURE', toColumnsSync: 'ok', runSync: 'ok' };
  expect(outcomes(`${opened}${questions}`)).toEqual({ ...values, ...(all('ERR_FEATURE') as object) });
  const awaited = `
    await table.where('x > 1').count();
    await table.column('x').sum();
    await table.groupBy('s').agg({ n: 'count' });
    await table.orderBy('x').toColumns();
    await table.preview();
    await table.toRows({ json: true });`;
  expect(outcomes(`${opened}${awaited}${questions}`)).toEqual({ ...values, ...(all('ok') as object) });
});

test('syrah: datasets after one was opened by the form that is awaited', () => {
  expect(
    outcomes(`${SYR}
      ask('before', () => syrah.SyrahDataset.openSync(syr));
      const file = await syrah.open(syr);
      ask('getItemSync', () => file.getItemSync(0));
      ask('after', () => syrah.SyrahDataset.openSync(syr));`),
  ).toEqual({ before: 'ERR_FEATURE', getItemSync: 'ok', after: 'ok' });
});
