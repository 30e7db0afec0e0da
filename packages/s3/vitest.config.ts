import { bothBackends } from '../../vitest.base.ts';

// The store never asks for the addon; the formats that are written to it do.
export default bothBackends({
  once: [
    'test/store.test.ts',
    'test/odd-servers.test.ts',
    'test/abandoned.test.ts',
    'test/commit-kills.test.ts',
    'test/xml.test.ts',
  ],
});
