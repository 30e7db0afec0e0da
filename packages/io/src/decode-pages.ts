// Pages of columns decoded by the addon's kernels straight into the caller's memory. What a page is, and what the
// numbers of a job mean, is between the format and the kernel (native/index.d.ts, decodePages): here it is the call, on
// the mapping, with its errors.
/** Numbers a page, as the addon's `decodePages` wants them. */
export const PAGE_JOB_NUMBERS = 17;
/** Numbers a page that say what became of it. */
export const PAGE_RESULT_NUMBERS = 6;

export interface DecodePagesRequest {
  readonly jobs: Float64Array;
  readonly results: Float64Array;
  readonly outs: readonly Uint8Array[];
  /** Whether pages are checked against their CRC. */
  readonly verifyCrc: boolean;
  /** Most threads; absent or 0: the process-wide setting. */
  readonly workers?: number;
}

export interface PageDecoder {
  /**
   * Decodes what it can on the addon's threads; `results` says which pages those are.
   * @throws IoError ERR_FILE_CHANGED, ERR_READ; ClosedError.
   */
  decode(request: DecodePagesRequest): Promise<void>;
  /** The same on the calling thread (and the kernels' own). */
  decodeSync(request: DecodePagesRequest): void;
}
