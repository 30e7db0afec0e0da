// Which backends a test of both asks, in the one project that runs it.
import { backendInfo, setDefaultBackend } from '@colkit/io';

type Backend = 'js' | 'native';

/** The addon as well, where there is one, or must be one. What is default in this process stays so. */
export function backendsToAsk(): readonly Backend[] {
  const before = backendInfo().backend;
  setDefaultBackend('auto');
  const isThere = backendInfo().backend === 'native';
  setDefaultBackend(before);
  return isThere || process.env['COLKIT_REQUIRE_NATIVE'] === '1' ? ['js', 'native'] : ['js'];
}
