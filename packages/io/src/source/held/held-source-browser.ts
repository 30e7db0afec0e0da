// Bytes of a small file that were read as a whole.
export { HeldBytes as HeldSource } from './held-bytes.ts';
