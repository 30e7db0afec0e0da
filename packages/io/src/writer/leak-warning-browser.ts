// The same name as leak-warning.ts for browsers: a page has no end that could be waited for, so that a writer that was
// forgotten is told when it is collected.
import { warn } from '../errors/warn.ts';
import type { Leak } from './leak-warning.ts';

export class LeakWarning {
  constructor(owner: object, leak: Leak) {
    collected.register(owner, leak, this);
  }

  stop(): void {
    collected.unregister(this);
  }
}

const collected = new FinalizationRegistry<Leak>(({ type, message, detail }) => warn(type, message, detail));
