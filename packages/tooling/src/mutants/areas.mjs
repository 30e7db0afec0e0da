// What the mutation tester changes, and the tests that must notice: `pnpm mutants AREA…`. The tests of an area are
// those that are about it and are quick, because each mutant runs all of them that touch it, until one fails: those in
// the files of `last` at the end.
export const AREAS = {
  durable: {
    mutate: ['packages/io/src/durable/*.ts'],
    // Without those that need other processes, or built code.
    tests: [
      'packages/io/test/durable/{publish,folder,file-{sink,sink-faults,sink-ends,lock},lock-file,takeover}.test.ts',
      'packages/io/test/durable/reservation{,-{faults,publish,refusals}}.test.ts',
      'packages/io/test/durable/{target,processes,temporary-name}.test.ts',
      'packages/io/test/durable/system-{files,lock}.test.ts',
    ],
    last: ['file-sink-faults.test.ts', 'takeover.test.ts', 'reservation.test.ts'],
  },
  io: {
    mutate: ['packages/io/src/{values/{cursor,integers},source/source-checks}.ts'],
    tests: [
      'packages/io/test/{values/{cursor,integers},errors/errors}.test.ts',
      'packages/io/test/source/{source-checks,memory-source,file-sources}.test.ts',
    ],
  },
  colstore: {
    mutate: ['packages/colstore/src/layout/*.ts'],
    tests: ['packages/colstore/test/layout/*.test.ts'],
  },
  columna: {
    mutate: [
      'packages/columna/src/layout/*.ts',
      'packages/columna/src/columns/{decode-page,node}.ts',
      'packages/columna/src/read/file/{read-footer,find-footer}.ts',
      'packages/columna/src/read/filter/column-statistics.ts',
    ],
    tests: [
      'packages/columna/test/layout/{checks,layout}.test.ts',
      'packages/columna/test/columns/{page-checks,hostile}.test.ts',
      'packages/columna/test/read/{file/read-footer,hostile}.test.ts',
      'packages/columna/test/layout/{footer,footer-checks,statistics}.test.ts',
      'packages/columna/test/read/file/{find-footer,column-statistics}.test.ts',
    ],
  },
  syrah: {
    mutate: [
      'packages/syrah/src/layout/*.ts',
      'packages/syrah/src/write/journal-reader.ts',
      'packages/syrah/src/items/part-files.ts',
    ],
    tests: [
      'packages/syrah/test/layout/{checks,metadata,header,float128,rows,part-mark}.test.ts',
      'packages/syrah/test/write/{journal-reader,recover,roll}.test.ts',
    ],
    last: ['recover.test.ts', 'roll.test.ts'],
  },
};
