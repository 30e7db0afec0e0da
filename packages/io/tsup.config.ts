import { libraryBuild } from '../../tsup.base.ts';

export default libraryBuild(
  {
    index: 'src/index.ts',
    durable: 'src/durable.ts',
    effects: 'src/effects/index.ts',
    listing: 'src/listing.ts',
    threads: 'src/threads/index.ts',
  },
  {
    types: {
      browser: 'src/browser.ts',
      'durable-browser': 'src/durable-browser.ts',
      'effects-browser': 'src/effects/browser.ts',
      'threads-browser': 'src/threads/browser.ts',
    },
  },
);
