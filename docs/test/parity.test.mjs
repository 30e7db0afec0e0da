// Each of our names in the page for users of Python's colstore exists: functions, members of what they give, options,
// commands and their flags. Each of Python's tests has a file of ours, or a reason.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as colstore from 'colstore';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'colkit-parity-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const path = join(folder, 'a.cstore');
colstore.writeSync(path, { x: Int32Array.of(1) });
const table = colstore.openSync(path);
/** What stands before the dot. */
const OBJECTS = {
  table,
  column: table.column('x'),
  edit: colstore.edit(table),
  col: colstore.col('x'),
  writer: colstore.ColStoreWriter.prototype,
  appender: colstore.ColStoreAppender.prototype,
  info: colstore.infoSync(path),
};
const DECLARED = ['io', 'table', 'colstore']
  .map((name) => declarations(join(ROOT, 'packages', name, 'src')))
  .join('\n');

function declarations(sources) {
  return execFileSync('grep', ['-rhoE', String.raw`readonly \w+\?:`, sources], { encoding: 'utf8' });
}

const colkit = (...words) =>
  execFileSync(process.execPath, [join(ROOT, 'packages/colkit/bin/colkit.js'), ...words], { encoding: 'utf8' });
const VERBS = colkit('help');

/** Why there is no such thing; null where there is. */
function missing(token) {
  const [, name] = /^(\w+)\(\)$/.exec(token) ?? [];
  if (name !== undefined) return typeof colstore[name] === 'function' ? null : 'no such function';
  const [, object, member, call] = /^(\w+)\.(\w+)(\(\))?$/.exec(token) ?? [];
  if (object !== undefined) {
    const of = OBJECTS[object];
    if (of === undefined || !(member in of)) return `no such member of ${object}`;
    // Getters of a prototype have no instance to run on.
    return call === undefined || typeof of[member] === 'function' ? null : 'no method';
  }
  const [, options] = /^\{ ([\w, ]+) \}$/.exec(token) ?? [];
  if (options !== undefined)
    return options.split(', ').find((option) => !DECLARED.includes(`readonly ${option}?:`)) ?? null;
  const [, verb, flag] = /^colkit (\w+)(?: (--[\w-]+))?$/.exec(token) ?? [];
  if (verb === undefined) return 'neither a function nor a member, an option or a command';
  if (!new RegExp(`^ +${verb}\\b`, 'm').test(VERBS)) return 'no such command';
  return flag === undefined || colkit('help', verb).includes(flag) ? null : 'no such flag';
}

test('each name of the table exists', () => {
  const page = readFileSync(join(ROOT, 'docs/guide/from-python-colstore.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Python |'));
  assert.ok(rows.length > 50, `${rows.length} rows`);
  const tokens = rows.flatMap((row) => {
    const cells = row.split(/(?<!\\)\|/);
    assert.equal(cells.length, 5, row);
    return [...cells[2].matchAll(/`([^`]+)`/g)].map(([, token]) => token);
  });
  assert.ok(tokens.length > 90, `${tokens.length} names`);
  const wrong = tokens.flatMap((token) => {
    const why = missing(token);
    return why === null ? [] : [`${token}: ${why}`];
  });
  assert.deepEqual(wrong, []);
});

/** What release 0.5.1 exports, what its objects have, its settings, parameters and flags. */
const PYTHON_NAMES = `
  Appender ColStoreDataset ColStoreFrame ColStoreInfo ColStoreReader ColStoreWriter ColumnView FormatError QueryError
  TableView __version__ append appender calibrate col compact concat convert cpp_available create ensure_calibrated
  from_feather from_hdf from_json from_npz from_parquet from_root get_default_backend get_default_madvise
  get_max_workers info interop max_threads open profiling recreate saveas schema set_convert_auto_workers
  set_default_backend set_default_madvise set_gather_thread_cap set_max_workers store testing to_root update
  use_passive_openmp_wait
  array arrow backend close columns count dict drop dtypes edit frame head max_workers n_rows path paths query recarray
  select shape tail to to_feather to_hdf to_json to_npz to_parquet where closed committed_rows mode n_records write
  needs_compaction directory flush n_shards pending_rows evaluate n_columns column dtype isin max mean min std sum var
  apply assign astype copy filter iter_batches rename report with_columns
  set_preview_rows set_preview_precision set_preview_memory_limit set_prefetch_distance set_mask_density_gate
  set_multifile_mask_density_gate set_numa_policy set_gather_binding set_gather_bind_llc_margin set_write_method
  set_default_memory_budget
  on_mismatch madvise mlock statistics batch_size show_progress out name shard_size memory_budget output_dir params lazy
  label weight out_dtype
  --format --columns --dtype --rename --output-dir --batch-size --no-compact --overwrite --on-mismatch --max-workers
  --dry-run`
  .trim()
  .split(/\s+/);

test("each public name of Python's package has a line", () => {
  const page = readFileSync(join(ROOT, 'docs/guide/from-python-colstore.md'), 'utf8');
  const theirs = page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .flatMap((row) => row.split(/(?<!\\)\|/)[1].match(/(?:--)?\w+(?:-\w+)*/g) ?? []);
  const found = new Set(theirs);
  assert.ok(PYTHON_NAMES.length > 140, `${PYTHON_NAMES.length} names`);
  assert.deepEqual(
    PYTHON_NAMES.filter((name) => !found.has(name)),
    [],
  );
});

/** Names of Python's tests in release 0.5.1, whose sources say how many each file has. */
const PYTHON_TESTS = [
  ['test_api.py', 34],
  ['test_arrow.py', 28],
  ['test_calibration.py', 34],
  ['test_cli.py', 15],
  ['test_cli_convert.py', 27],
  ['test_column_terminals.py', 25],
  ['test_column_view_operators.py', 8],
  ['test_compact.py', 16],
  ['test_concat_merge_copy.py', 11],
  ['test_config.py', 13],
  ['test_convert.py', 22],
  ['test_convert_stream_export.py', 14],
  ['test_convert_streaming.py', 10],
  ['test_dataset.py', 91],
  ['test_footer_skip.py', 4],
  ['test_footer_stats.py', 13],
  ['test_format.py', 40],
  ['test_format_records.py', 25],
  ['test_frame_edit.py', 146],
  ['test_frame_graph.py', 47],
  ['test_frame_write.py', 20],
  ['test_indexing.py', 25],
  ['test_interop.py', 18],
  ['test_interop_files.py', 24],
  ['test_interop_formats.py', 35],
  ['test_interop_root.py', 29],
  ['test_kernels.py', 11],
  ['test_lock.py', 4],
  ['test_multifile_kernel.py', 30],
  ['test_multirecord_kernels.py', 26],
  ['test_multirecord_routing.py', 47],
  ['test_numa.py', 20],
  ['test_numpy_array.py', 23],
  ['test_preview.py', 32],
  ['test_profiling.py', 13],
  ['test_projection.py', 14],
  ['test_query.py', 40],
  ['test_reader.py', 14],
  ['test_shards.py', 31],
  ['test_testing.py', 22],
  ['test_threading.py', 45],
  ['test_views.py', 75],
  ['test_writer.py', 34],
];

test("each of Python's tests has a file of ours that exists, or a reason", () => {
  const page = readFileSync(join(ROOT, 'docs/guide/python-colstore-tests.md'), 'utf8');
  const areas = page.split(/^## /m).slice(1);
  assert.deepEqual(
    areas.map((area) => area.slice(0, area.indexOf('\n'))),
    PYTHON_TESTS.map(([file]) => file),
  );
  for (const [number, [file, count]] of PYTHON_TESTS.entries()) {
    const rows = areas[number].split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| here |'));
    const names = rows.flatMap((row) => {
      const [, here, tests] = row.split(/(?<!\\)\|/);
      const [, path] = /^ `([^`]+)` $/.exec(here) ?? [];
      if (path === undefined) assert.match(here, /^ not there: \S/, row);
      else assert.ok(existsSync(join(ROOT, path)), path);
      return [...tests.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    });
    assert.equal(new Set(names).size, count, file);
    assert.equal(names.length, count, file);
  }
});
