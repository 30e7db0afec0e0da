// Apart from what else is known of times: reading needs no more of them.
/** Not-a-time: the smallest int64, in every datetime64 and timedelta64. */
export const NAT = -(2n ** 63n);
