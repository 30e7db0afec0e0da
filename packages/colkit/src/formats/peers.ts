// The optional peers, loaded when they are first needed. Each `import` stands in a `try` of its own, where bundlers
// allow that the package is missing.
import { missingPeer } from '@colkit/io';

/** Each @throws UnsupportedError ERR_FEATURE where the package does not load. */
export const peers = {
  async arrow(): Promise<typeof import('apache-arrow')> {
    try {
      return await import('apache-arrow');
    } catch (error) {
      throw missingPeer('apache-arrow', error);
    }
  },
  async hyparquet(): Promise<typeof import('hyparquet')> {
    try {
      return await import('hyparquet');
    } catch (error) {
      throw missingPeer('hyparquet', error);
    }
  },
  async compressors(): Promise<typeof import('hyparquet-compressors')['compressors']> {
    try {
      return (await import('hyparquet-compressors')).compressors;
    } catch (error) {
      throw missingPeer('hyparquet-compressors', error);
    }
  },
  async parquetWriter(): Promise<typeof import('hyparquet-writer')> {
    try {
      return await import('hyparquet-writer');
    } catch (error) {
      throw missingPeer('hyparquet-writer', error);
    }
  },
};
