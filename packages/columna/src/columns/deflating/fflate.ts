// What builds for browsers need of the package.
export { deflateSync } from 'fflate';
