// Files that grow, are replaced and are written anew where they are: what needs locks, links and renames of the system.
// Each file's bytes and answers go into the digest.
import { closeSync, existsSync, openSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as colstore from 'colstore';
import * as columna from 'columna';
import * as syrah from 'syrah';

const ROWS = 400;

/** @param digest takes a label and a value. */
export async function growingFiles(folder, digest) {
  await recordsThatGrow(folder, digest);
  await shards(folder, digest);
  await tablesThatGrow(folder, digest);
  await itemsThatGrow(folder, digest);
  await filesInUse(folder, digest);
  // Locks, temporary and unfinished files are gone.
  digest('left', readdirSync(folder).sort());
}

const numbers = (start) => ({
  id: Int32Array.from({ length: ROWS }, (_, row) => start + row),
  price: Float64Array.from({ length: ROWS }, (_, row) => (start + row) / 8),
});

async function recordsThatGrow(folder, digest) {
  const path = join(folder, 'grows.cstore');
  for (const open of [colstore.create, colstore.recreate, colstore.update, colstore.update]) {
    const writer = await open(path, { statistics: true });
    await writer.write(numbers(1));
    await writer.checkpoint();
    await writer.write(numbers(ROWS));
    await writer.close();
    digest(open.name, readFileSync(path));
  }
  const sync = colstore.updateSync(path);
  sync.writeSync(numbers(7));
  sync.closeSync();
  digest('update, sync', readFileSync(path));
  writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(99, 1)]));
  digest('recover', [await colstore.recover(path), readFileSync(path)]);
  for (const rewrite of [colstore.compact, colstore.compact, colstore.upgrade]) {
    await rewrite(path);
    digest(rewrite.name, readFileSync(path));
  }
  await colstore.upgrade(path, { layout: 'flat' });
  digest('flat', readFileSync(path));
  for (let time = 0; time < 3; time++) colstore.writeSync(path, numbers(time), { overwrite: true });
  digest('replaced', readFileSync(path));
}

async function shards(folder, digest) {
  const path = join(folder, 'shards');
  for (let time = 0; time < 3; time++) await colstore.append(path, numbers(time));
  const table = await colstore.open(path);
  digest('shards', await table.agg({ n: 'count', s: { sum: 'price' } }));
  table.close();
}

async function tablesThatGrow(folder, digest) {
  const path = join(folder, 'grows.cna');
  for (const overwrite of [false, true]) {
    const writer = await columna.create(path, { overwrite });
    await writer.write(numbers(1));
    await writer.checkpoint();
    await writer.write(numbers(ROWS));
    await writer.close();
    digest('create cna', readFileSync(path));
  }
  await columna.append(path, numbers(5));
  columna.appendSync(path, numbers(6));
  digest('append cna', readFileSync(path));
  columna.writeSync(path, numbers(9), { overwrite: true });
  digest('replaced cna', [readFileSync(path), await columna.verify(path), await columna.recover(path)]);
}

async function itemsThatGrow(folder, digest) {
  const path = join(folder, 'grows.syr');
  for (const options of [{}, { overwrite: true }, { overwrite: true, journal: true }]) {
    const writer = await syrah.create(path, options);
    for (let item = 0; item < 50; item++)
      await writer.addItem({ label: Int32Array.of(item), values: Float32Array.from({ length: item }, () => item) });
    await writer.close();
    digest('syr', readFileSync(path));
  }
}

/** A file that somebody reads is replaced, or, on Windows, refused with the reason; and replaced when it is closed. */
async function filesInUse(folder, digest) {
  const path = join(folder, 'grows.cstore');
  const reader = openSync(path, 'r');
  let refusal = null;
  try {
    await colstore.write(path, numbers(20), { overwrite: true });
  } catch (error) {
    refusal = error;
  } finally {
    closeSync(reader);
  }
  const isToldRight =
    refusal === null ? true : process.platform === 'win32' && /Windows does not replace a file/.test(refusal.message);
  digest('in use', isToldRight);
  if (!isToldRight) throw refusal;
  await colstore.write(path, numbers(21), { overwrite: true });
  digest('no longer', [readFileSync(path), existsSync(`${path}.lock`)]);
}
