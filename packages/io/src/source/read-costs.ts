// What reads cost, for the capabilities of sources: numbers that plans of reads are made by.

/** Node's pool has four threads. */
export const LOCAL_READS = 4;
/** Browsers open six connections to a host. */
export const REMOTE_READS = 6;
/** A system call costs about as much as copying so many bytes. */
export const LOCAL_GAP_BYTES = 16 * 1024;
/** A request over the network costs as much as so many bytes, and more. */
export const REMOTE_GAP_BYTES = 64 * 1024;

/** Bytes of a mapping that are copied in less time than another thread is woken in. */
export const SMALL_BYTES = 64 * 1024;
