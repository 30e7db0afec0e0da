// Views of a mapped file -> few mappings, however many views are asked for: those of one stretch share a window, and
// where there are many stretches, all views share large windows. A mapping for each view would end the process: a
// collected one goes only when the event loop turns, and the system allows about 65,000.
import { PhaseWindows } from './phase-windows.ts';
import type { OpenWindow } from './phase-windows.ts';

/** Bytes of a file whose views share one window: a column's values, a page's. */
export interface Stretch {
  readonly byteOffset: number;
  readonly byteLength: number;
}

/**
 * Stretches of one file that get a window of their own, whose buffer has nothing else in it. As many as a wide table
 * has columns.
 */
const OWN_WINDOWS = 256;
/** Any typed array fits at a multiple of it. */
const ALIGNMENT = 8;

export class SharedWindows {
  readonly #open: OpenWindow;
  readonly #mayOpen: () => boolean;
  readonly #phases: PhaseWindows;
  readonly #own = new Map<number, Uint8Array>();
  #opened = 0;

  /** @param mayOpen whether the process has few windows so far. */
  constructor(open: OpenWindow, fileBytes: number, mayOpen: () => boolean) {
    this.#open = open;
    this.#mayOpen = mayOpen;
    this.#phases = new PhaseWindows(open, 0, fileBytes);
  }

  /**
   * The bytes of the range, which lies in `stretch` and is not empty, in a window that later calls get too. They start
   * at a multiple of 8 from the window's start or from the stretch's.
   */
  view(byteOffset: number, byteLength: number, stretch: Stretch): Uint8Array {
    const known = this.#own.get(stretch.byteOffset);
    // Behind a shorter one that began here too, or one whose buffer was transferred, there is nothing to share.
    const own = known !== undefined && known.length >= stretch.byteLength ? known : this.#openOwn(stretch);
    if (own !== null) return part(own, byteOffset - stretch.byteOffset, byteLength);
    const { start, bytes } = this.#phases.at(byteOffset, byteLength, ALIGNMENT);
    return part(bytes, byteOffset - start, byteLength);
  }

  /** Forgets the windows; views keep theirs. */
  release(): void {
    this.#own.clear();
    this.#phases.release();
  }

  #openOwn({ byteOffset, byteLength }: Stretch): Uint8Array | null {
    if (this.#opened >= OWN_WINDOWS || !this.#mayOpen()) return null;
    const window = this.#open(byteOffset, byteLength);
    this.#opened++;
    this.#own.set(byteOffset, window);
    return window;
  }
}

const part = (bytes: Uint8Array, start: number, byteLength: number): Uint8Array =>
  new Uint8Array(bytes.buffer, bytes.byteOffset + start, byteLength);
