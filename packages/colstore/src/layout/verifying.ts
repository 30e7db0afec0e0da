// What verifies a layout: where that is. In builds for browsers it is loaded when it is asked for.
export { verifyLayout } from './verify.ts';
