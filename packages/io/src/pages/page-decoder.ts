// The page decoder of Node: the addon's kernels, on the mapping of a source.
import { BACKEND_OPTIONS } from '../backend/backend-options.ts';
import type { BackendOptions } from '../backend/backend-options.ts';
import { newResults, packJobs, unpackResults } from './page-program.ts';
import type { DecodePagesRequest, PageDecoder, PageDestination, PageJob } from './page-program.ts';
import { doneAtOnce, mayDoAtOnce } from '../memory/at-once.ts';
import { mappedNative } from '../source/mapped-native.ts';
import { fromNative } from '../backend/native-errors.ts';
import { checkOptions } from '../options/index.ts';
import { chosenWorkers } from '../backend/settings.ts';
import type { RandomAccessSource } from '../source/source.ts';

interface Amount {
  readonly bytes: number;
  readonly rows: number;
}

/**
 * What takes a third of a millisecond at most. To wake another thread and to come back takes as much of the processor's
 * time as that, and a turn of the event loop is longer by far.
 */
const SMALL: Amount = { bytes: 128 << 10, rows: 128 << 10 };
/**
 * What takes half a millisecond mostly: the calling thread begins at once, and others help once they are awake. To wait
 * for them in the event loop takes longer, above all where other programs want the cores too. More is one of several
 * calls of a scan, of which the next is to be on its way while the caller uses what the last one gave.
 */
const MIDDLING: Amount = { bytes: 512 << 10, rows: 240 << 10 };

/** What takes a millisecond mostly, for a caller who has nothing else to do than to wait for it. */
const ALONE: Amount = { bytes: 1 << 20, rows: 1 << 20 };
/**
 * Results of so many bytes have memory of the pool, to which it returns in a turn of the event loop: without one, each
 * of the next calls would take fresh memory.
 */
const POOLED_BYTES = 1 << 20;

/**
 * Of a page of which some rows are listed most is only copied and checked, which takes a fraction of what decoding its
 * bytes does.
 */
const LISTED_SHARE = 1 / 8;

function isWithin(jobs: readonly PageJob[], most: Amount): boolean {
  let [bytes, rows] = [0, 0];
  for (const job of jobs) {
    const { page } = job;
    bytes += page.byteLength * ('rows' in job && job.rows !== null ? LISTED_SHARE : 1);
    // Jobs that follow are about the rows that are left, which are few mostly.
    if (!('follows' in job && job.follows)) rows += page.end - page.start;
    if (bytes > most.bytes || rows > most.rows) return false;
  }
  return true;
}

/** Whether jobs are done sooner than the event loop turns. */
function isQuick({ jobs, outs, isOnly }: DecodePagesRequest): boolean {
  if (isWithin(jobs, MIDDLING)) return true;
  const isPooled = ({ output }: PageDestination): boolean => (outs[output]?.byteLength ?? 0) >= POOLED_BYTES;
  const isResult = (job: PageJob): boolean => job.form === 'items' && !job.follows;
  return isOnly === true && isWithin(jobs, ALONE) && !jobs.some((job) => isResult(job) && isPooled(job.to));
}

/**
 * The decoder for the pages of a source; null where there is no mapping or no addon, and pages are decoded by whoever
 * asked.
 * @throws ClosedError.
 */
export function pageDecoder(source: RandomAccessSource, options: BackendOptions = {}): PageDecoder | null {
  checkOptions('pageDecoder', BACKEND_OPTIONS, options);
  const native = mappedNative(source, 'decodePages', options.backend);
  if (native === null) return null;
  const { binding, mapping } = native;
  return {
    async decode(request) {
      const { jobs, outs, verifyCrc, workers } = request;
      const results = newResults(jobs.length);
      try {
        const most = workers || chosenWorkers();
        if (isQuick(request) && mayDoAtOnce()) {
          binding.decodePagesSync(mapping, packJobs(jobs), results, outs, verifyCrc, isWithin(jobs, SMALL) ? 1 : most);
          doneAtOnce();
        } else await binding.decodePages(mapping, packJobs(jobs), results, outs, verifyCrc, most);
      } catch (error) {
        throw fromNative('decodePages', source.path, error);
      }
      return unpackResults(results);
    },
    decodeSync({ jobs, outs, verifyCrc, workers }) {
      const results = newResults(jobs.length);
      try {
        binding.decodePagesSync(mapping, packJobs(jobs), results, outs, verifyCrc, workers || chosenWorkers());
      } catch (error) {
        throw fromNative('decodePages', source.path, error);
      }
      return unpackResults(results);
    },
  };
}
