// Items into other formats and back.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSync, openSync, typed } from 'syrah';
import { COUNT, writeItems } from '../support/items.ts';
import { temporaryFolder } from '../support/folder.ts';
import { linesOf as run, runHere, withoutSpinner } from '../support/run.ts';

const folder = temporaryFolder();
const path = folder.path('items.syr');

beforeAll(() => writeItems(path));

describe('converting', () => {
  test.each(['jsonl', 'csv', 'parquet'])('to %s and back gives the same file', async (form) => {
    const [there, back] = [folder.path(`there.${form}`), folder.path(`back-${form}.syr`)];
    const out = await run('convert', path, there);
    expect(out).toMatchObject({ code: 0, out: [expect.stringMatching(/300 items in/)] });
    const { err } = await runHere(true, 'convert', path, there, '-f');
    expect(withoutSpinner(err)).toMatch(/ 300 of 300 items$/);
    const again = await run(
      'convert',
      there,
      back,
      '--schema',
      'label:int32,features:float64,name:str,flag:bool',
      '--json',
    );
    expect([again.code, JSON.parse(again.out[0] ?? '')]).toMatchObject([0, { items: COUNT }]);
    expect(readFileSync(back).equals(readFileSync(path))).toBe(true);
  });

  test('without a schema the dtypes are found out', async () => {
    for (const form of ['jsonl', 'csv']) {
      expect((await run('convert', path, folder.path(`guess.${form}`), '--overwrite')).code).toBe(0);
      expect((await run('convert', path, folder.path(`guess.${form}`))).notes.join()).toMatch(/-f replaces it/);
      expect((await run('convert', folder.path(`guess.${form}`), folder.path(`guess-${form}.syr`))).code).toBe(0);
      using file = openSync(folder.path(`guess-${form}.syr`));
      expect(file.schema).toEqual([
        { name: 'label', dtype: 'int64' },
        { name: 'features', dtype: 'float64' },
        { name: 'name', dtype: 'str' },
        { name: 'flag', dtype: 'bool' },
      ]);
      expect(file.getItemSync(7)).toEqual(
        Object.assign(Object.create(null) as object, {
          label: BigInt64Array.of(7n),
          features: Float64Array.of(7, 7.25, 7.5),
          name: 'n7, "é"\n',
          flag: Uint8Array.of(0),
        }),
      );
    }
    expect((await run('convert', folder.path('there.parquet'), folder.path('guess-parquet.syr'))).code).toBe(0);
    using file = openSync(folder.path('guess-parquet.syr'));
    expect(file.schema.map(({ dtype }) => dtype)).toEqual(['int32', 'float64', 'str', 'bool']);
  });

  test('every dtype survives JSON lines, extremes too', async () => {
    const all = folder.path('all.syr');
    const writer = createSync(all);
    writer.addItemSync([
      ['10', typed('float16', [0.5, -2])],
      ['2', Float32Array.of(NaN, Infinity, -Infinity, 0.1)],
      ['__proto__', BigInt64Array.of(-(2n ** 63n), 2n ** 53n + 1n)],
      ['zero', Float64Array.of(-0, 0)],
      ['u', BigUint64Array.of(2n ** 64n - 1n)],
      ['i8', Int8Array.of(-128)],
      ['u16', Uint16Array.of(65535)],
      ['constructor', 'text'],
    ]);
    writer.closeSync();
    expect((await run('convert', all, folder.path('all.jsonl'))).code).toBe(0);
    const schema = openSync(all)
      .schema.map(({ name, dtype }) => `${name}:${String(dtype)}`)
      .join(',');
    expect((await run('convert', folder.path('all.jsonl'), folder.path('all-back.syr'), '--schema', schema)).code).toBe(
      0,
    );
    expect(readFileSync(folder.path('all-back.syr')).equals(readFileSync(all))).toBe(true);
  });

  test('a folder of files, and one of JSON objects', async () => {
    const files = folder.path('files');
    mkdirSync(`${files}/cats`, { recursive: true });
    writeFileSync(`${files}/cats/b.bin`, Uint8Array.of(1, 2, 3));
    writeFileSync(`${files}/a.txt`, '');
    expect((await run('convert', files, folder.path('files.syr'))).code).toBe(0);
    using file = openSync(folder.path('files.syr'));
    expect([file.getItemSync(0)['name'], file.getItemSync(1)]).toEqual([
      'a.txt',
      Object.assign(Object.create(null) as object, { name: 'cats/b.bin', bytes: Uint8Array.of(1, 2, 3) }),
    ]);
    expect((await run('convert', folder.path('files.syr'), `${folder.path('files-back')}/`)).code).toBe(0);
    expect(readFileSync(folder.path('files-back/cats/b.bin'))).toEqual(Buffer.of(1, 2, 3));
    const objects = `${folder.path('objects')}/`;
    expect((await run('convert', folder.path('back-jsonl.syr'), objects)).code).toBe(0);
    expect(readdirSync(objects).length).toBe(COUNT);
    expect(
      (
        await run(
          'convert',
          objects,
          folder.path('objects.syr'),
          '--schema',
          'label:int32,features:float64,name:str,flag:bool',
        )
      ).code,
    ).toBe(0);
    expect(readFileSync(folder.path('objects.syr')).equals(readFileSync(path))).toBe(true);
  });

  test('names that would leave the folder are refused', async () => {
    const evil = folder.path('evil.syr');
    const writer = createSync(evil);
    writer.addItemSync({ name: '../out.txt', bytes: Uint8Array.of(1) });
    writer.closeSync();
    expect(await run('convert', evil, `${folder.path('evil')}/`)).toMatchObject({
      code: 1,
      notes: [expect.stringMatching(/path within the folder.*\.\.\/out\.txt/)],
    });
    expect(readdirSync(folder.path('evil'))).toEqual([]);
  });

  test.each([
    ['a key too many', '{"a":1}\n{"a":1,"b":2}\n', /line 2.*"a".*"a", "b"/],
    ['null', '{"a":[1,null]}\n', /line 1: key "a".*null at position 1/],
    ['no JSON', '{"a":1}\n{"a"\n', /line 2.*JSON object/],
    ['text among numbers', '{"a":[1,"x"]}\n', /int64.*str/],
    ['a number too large', '{"a":9007199254740993}\n', /2\^53/],
    ['a number beyond float64', '{"a":[1,1e400]}\n', /line 1: key "a".*a number beyond float64 at position 1/],
  ])('JSON lines with %s are refused, with the line', async (_, text, message) => {
    writeFileSync(folder.path('bad.jsonl'), text);
    expect(await run('convert', folder.path('bad.jsonl'), folder.path('bad.syr'))).toMatchObject({
      code: 1,
      notes: [expect.stringMatching(message)],
    });
    expect(readdirSync(folder.root).filter((name) => name.includes('bad.syr'))).toEqual([]);
  });

  test('lines of JSON longer than what is read at once, characters across its ends, all line ends', async () => {
    const text = '😀é'.repeat(70_000);
    writeFileSync(folder.path('long.jsonl'), `\uFEFF{"t":"${text}"}\r\n\n{"t":"a${text}"}\n{"t":"-"}`);
    expect((await run('convert', folder.path('long.jsonl'), folder.path('long.syr'))).code).toBe(0);
    using file = openSync(folder.path('long.syr'));
    expect(Array.from({ length: file.itemCount }, (_, i) => file.getArraySync(i, 't'))).toEqual([
      text,
      `a${text}`,
      '-',
    ]);
  });

  test('Parquet: the columns of the schema alone; decimals, moments, bytes; what became of them is told', async () => {
    const { parquetWriteBuffer } = await import('hyparquet-writer');
    const bytes = parquetWriteBuffer({
      schema: [
        { name: 'root', num_children: 5 },
        {
          name: 'price',
          type: 'INT64',
          converted_type: 'DECIMAL',
          scale: 2,
          precision: 18,
          repetition_type: 'REQUIRED',
        },
        { name: 'at', type: 'INT64', converted_type: 'TIMESTAMP_MICROS', repetition_type: 'REQUIRED' },
        { name: 'code', type: 'FIXED_LEN_BYTE_ARRAY', type_length: 2, repetition_type: 'REQUIRED' },
        { name: 'n', type: 'INT32', repetition_type: 'OPTIONAL' },
        {
          name: 'span',
          type: 'FIXED_LEN_BYTE_ARRAY',
          type_length: 12,
          converted_type: 'INTERVAL',
          repetition_type: 'OPTIONAL',
        },
      ],
      columnData: [
        { name: 'price', data: [59_031n, -1n] },
        { name: 'at', data: [-1n, 1_704_067_200_000_000n] },
        { name: 'code', data: [Uint8Array.of(1, 2), Uint8Array.of(255, 0)] },
        { name: 'n', data: [1, null] },
        { name: 'span', data: [null, null] },
      ],
    });
    const from = folder.path('types.parquet');
    writeFileSync(from, new Uint8Array(bytes));
    expect(await run('convert', from, folder.path('types.syr'))).toMatchObject({
      code: 1,
      notes: [expect.stringMatching(/column "span" is neither numbers nor text.*name the other columns in --schema/)],
    });
    const done = await run('convert', from, folder.path('types.syr'), '--schema', 'code:uint8,price:float64,at:str');
    expect(done).toMatchObject({
      code: 0,
      notes: [
        expect.stringMatching(/"code": FIXED_LEN_BYTE_ARRAY\(2\)/),
        expect.stringMatching(/"price": DECIMAL\(18, 2\) became float64/),
        expect.stringMatching(/"at": moments became text/),
      ],
    });
    expect((await run('head', folder.path('types.syr'), '--json')).out).toEqual([
      '{"code":[1,2],"price":[590.31],"at":"1969-12-31T23:59:59.999999"}',
      '{"code":[255,0],"price":[-0.01],"at":"2024-01-01T00:00:00.000000"}',
    ]);
    expect((await run('convert', from, folder.path('ticks.syr'), '--schema', 'at:int64', '--json')).out[0]).toMatch(
      /"notes":\[\{"key":"at"/,
    );
    expect((await run('head', folder.path('ticks.syr'), '--json')).out).toEqual([
      '{"at":[-1]}',
      '{"at":[1704067200000000]}',
    ]);
    expect(await run('convert', from, folder.path('nulls.syr'), '--schema', 'n:int32')).toMatchObject({
      code: 1,
      notes: [expect.stringMatching(/row 1: column "n".*no nulls/)],
    });
  });

  test('lists of several texts, of which a file makes one text, are told', async () => {
    writeFileSync(folder.path('words.jsonl'), '{"words":["a","b"],"one":["c"]}\n{"words":["d"],"one":"e"}\n');
    expect(await run('convert', folder.path('words.jsonl'), folder.path('words.syr'))).toMatchObject({
      code: 0,
      notes: [expect.stringMatching(/^key "words": lists of several texts became one text each/)],
    });
    const { parquetWriteBuffer } = await import('hyparquet-writer');
    const words = { name: 'words', repetition_type: 'REQUIRED', num_children: 1, converted_type: 'LIST' } as const;
    const bytes = parquetWriteBuffer({
      schema: [
        { name: 'root', num_children: 1 },
        words,
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
      ],
      columnData: [{ name: 'words', data: [['a', 'b'], ['d']] }],
    });
    writeFileSync(folder.path('words.parquet'), new Uint8Array(bytes));
    expect(
      (await run('convert', folder.path('words.parquet'), folder.path('words.syr'), '--overwrite', '--json')).out[0],
    ).toMatch(/"notes":\[\{"key":"words"/);
    expect((await run('head', folder.path('words.syr'), '--json')).out).toEqual(['{"words":"ab"}', '{"words":"d"}']);
  });

  test('what is not there, no folder, no UTF-8 or no Parquet is told with its name and a code', async () => {
    const to = folder.path('none.syr');
    for (const missing of ['none.jsonl', 'none.csv', 'none.parquet', 'none/', 'none.syr/x.jsonl']) {
      expect(await run('convert', folder.path(missing), to), missing).toMatchObject({
        code: 1,
        notes: [expect.stringMatching(/none.*ERR_NOT_FOUND/)],
      });
    }
    writeFileSync(folder.path('latin.jsonl'), Buffer.from('{"a":"\xe9"}', 'latin1'));
    expect(await run('convert', folder.path('latin.jsonl'), to)).toMatchObject({
      code: 1,
      notes: [expect.stringMatching(/latin\.jsonl: line 1: expected UTF-8.*ERR_VALUE/)],
    });
    const whole = readFileSync(folder.path('there.parquet'));
    for (const bytes of [
      whole.subarray(0, 100),
      Buffer.from('nonsense, and no Parquet'),
      Buffer.alloc(0),
      whole.map((byte, at) => (at > 4 && at < whole.length / 2 ? byte ^ 0x55 : byte)),
    ]) {
      writeFileSync(folder.path('broken.parquet'), bytes);
      expect(await run('convert', folder.path('broken.parquet'), to)).toMatchObject({
        code: 1,
        notes: [expect.stringMatching(/broken\.parquet: Parquet file.*ERR_METADATA/)],
      });
    }
    expect(await run('convert', path, `${folder.path('there.csv')}/x/`)).toMatchObject({
      code: 1,
      notes: [expect.stringMatching(/there\.csv.*ERR_/)],
    });
    expect(readdirSync(folder.root).filter((name) => name.includes('none.syr'))).toEqual([]);
  });

  test('a schema that is none leaves nothing behind', async () => {
    expect(
      await run('convert', folder.path('there.jsonl'), folder.path('no-schema.syr'), '--schema', 'label:nonsense'),
    ).toMatchObject({ code: 1, notes: [expect.stringMatching(/ERR_SCHEMA/)] });
    expect(readdirSync(folder.root).filter((name) => name.includes('no-schema'))).toEqual([]);
  });

  test('CSV: quotes, empty lines, line ends, a byte order mark; ragged records are refused', async () => {
    writeFileSync(folder.path('q.csv'), '\uFEFFx,"the ""name""",n\r\n1,"a\nb",1\r\n\r\n2.5,,true\nNaN,[1],"2"');
    expect(
      (await run('convert', folder.path('q.csv'), folder.path('q.syr'), '--schema', 'x:float32,the "name":str,n:str'))
        .code,
    ).toBe(0);
    expect((await run('head', folder.path('q.syr'), '--json')).out).toEqual([
      '{"x":[1],"the \\"name\\"":"a\\nb","n":"1"}',
      '{"x":[2.5],"the \\"name\\"":"","n":"true"}',
      '{"x":["NaN"],"the \\"name\\"":"[1]","n":"2"}',
    ]);
    writeFileSync(folder.path('r.csv'), 'a,b\n1,2\n3\n');
    expect(await run('convert', folder.path('r.csv'), folder.path('r.syr'))).toMatchObject({
      code: 1,
      notes: [expect.stringMatching(/line 3: .*expected 2 cells but found 1/)],
    });
  });

  test('CSV without a schema: exact numbers, moments and empty cells as text, lists; no empty items', async () => {
    const lines = [
      'when,big,some,mixed,word',
      '2024-01-31,9007199254740993,1,7,TRUE',
      '2025-01-31,-9223372036854775808,,"[1,2.5]",false',
    ];
    writeFileSync(folder.path('guess.csv'), `${lines.join('\n')}\n`);
    expect((await run('convert', folder.path('guess.csv'), folder.path('guess.syr'))).code).toBe(0);
    using file = openSync(folder.path('guess.syr'));
    expect(file.schema.map(({ dtype }) => dtype)).toEqual(['str', 'int64', 'str', 'float64', 'bool']);
    expect(file.getItemSync(1)).toEqual(
      Object.assign(Object.create(null) as object, {
        when: '2025-01-31',
        big: BigInt64Array.of(-(2n ** 63n)),
        some: '',
        mixed: Float64Array.of(1, 2.5),
        word: Uint8Array.of(0),
      }),
    );
    writeFileSync(folder.path('one.csv'), 'n\n1\n\n2\n\n');
    expect((await run('convert', folder.path('one.csv'), folder.path('one.syr'), '--json')).out).toEqual([
      expect.stringContaining('"items":2'),
    ]);
    using one = openSync(folder.path('one.syr'));
    expect(one.schema).toEqual([{ name: 'n', dtype: 'int64' }]);
  });

  test('a schema takes what people write for its dtypes, in CSV and JSON lines; missing names are told', async () => {
    writeFileSync(
      folder.path('said.csv'),
      'i,f,b,w\n+5,.5,yes,5.0\n1e3,5.,0,+18446744073709551615\n007,-inf,T,"[1,2]"\n',
    );
    const schema = 'i:int32,f:float32,b:bool,w:uint64';
    expect((await run('convert', folder.path('said.csv'), folder.path('said.syr'), '--schema', schema)).code).toBe(0);
    const expected = [
      '{"i":[5],"f":[0.5],"b":[true],"w":[5]}',
      '{"i":[1000],"f":[5],"b":[false],"w":["18446744073709551615"]}',
      '{"i":[7],"f":["-Infinity"],"b":[true],"w":[1,2]}',
    ];
    expect((await run('head', folder.path('said.syr'), '--json')).out).toEqual(expected);
    writeFileSync(
      folder.path('said.jsonl'),
      '{"i":"+5","f":".5","b":"yes","w":"5.0"}\n{"i":["1e3"],"f":["5."],"b":["0"],"w":["+18446744073709551615"]}\n' +
        '{"i":"007","f":"-inf","b":"T","w":["1",2]}\n',
    );
    expect(
      (await run('convert', folder.path('said.jsonl'), folder.path('said.syr'), '--schema', schema, '-f')).code,
    ).toBe(0);
    expect((await run('head', folder.path('said.syr'), '--json')).out).toEqual(expected);
    for (const bad of [
      '{"i":"1_000","f":1,"b":true,"w":1}',
      '{"i":1,"f":"1_0","b":true,"w":1}',
      '{"i":1,"f":1,"b":"on","w":1}',
      '{"i":1,"f":1,"b":true,"w":"0.5"}',
      '{"i":"3e9","f":1,"b":true,"w":1}',
    ]) {
      writeFileSync(folder.path('unsaid.jsonl'), `${bad}\n`);
      expect(
        await run('convert', folder.path('unsaid.jsonl'), folder.path('unsaid.syr'), '--schema', schema),
        bad,
      ).toMatchObject({ code: 1, notes: [expect.stringMatching(/ERR_VALUE/)] });
    }
    writeFileSync(folder.path('unnamed.csv'), ',x,x\n1,.5,"[.5]"\n2,5.,"[1]"\n3,5.,3\n');
    const { notes } = await run('convert', folder.path('unnamed.csv'), folder.path('unnamed.syr'));
    expect(notes).toEqual([
      expect.stringMatching(/"column0": the header has no name/),
      expect.stringMatching(/"x_1": the header calls it "x"/),
    ]);
    using file = openSync(folder.path('unnamed.syr'));
    expect(file.schema).toEqual([
      { name: 'column0', dtype: 'int64' },
      { name: 'x', dtype: 'float64' },
      { name: 'x_1', dtype: 'str' },
    ]);
  });

  test.each([
    [
      'a value of another dtype',
      'a,b\n1,2\n1,x\n',
      'a:int32,b:int32',
      /row 1: column "b": expected int32 values but found "x"/,
    ],
    ['an empty cell', 'a,b\n1,\n', 'a:int32,b:int32', /row 0: column "b".*an empty cell/],
    ['a column too many', 'a,b\n1,2\n', 'a:int32', /ERR_SCHEMA/],
    ['a column too few', 'a\n1\n', 'a:int32,b:int32', /"b".*ERR_SCHEMA/],
    ['a name twice', 'a,a\n1,2\n', 'a:int32', /the keys "a" but found "a_1".*ERR_SCHEMA/],
    ['a fraction for an integer', 'a\n1.5\n', 'a:int32', /expected int32 values but found "1\.5"/],
    ['a word that is no bool', 'a\non\n', 'a:bool', /expected bool values but found "on"/],
  ])('CSV with %s is refused', async (_, text, schema, message) => {
    writeFileSync(folder.path('bad.csv'), text);
    expect(await run('convert', folder.path('bad.csv'), folder.path('bad-csv.syr'), '--schema', schema)).toMatchObject({
      code: 1,
      notes: [expect.stringMatching(message)],
    });
    expect(readdirSync(folder.root).filter((name) => name.includes('bad-csv.syr'))).toEqual([]);
  });
});
