import { libraryBuild } from '../../tsup.base.ts';

export default libraryBuild({
  index: 'src/index.ts',
  browser: 'src/browser.ts',
  durable: 'src/durable.ts',
  effects: 'src/effects/index.ts',
  listing: 'src/listing.ts',
  'effects-browser': 'src/effects/browser.ts',
  threads: 'src/threads/index.ts',
});
