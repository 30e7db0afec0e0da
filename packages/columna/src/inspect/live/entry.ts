// What the bundle of a page hands to the page's script, and to tests that run it without a browser.
export { PushdownDemonstration } from './pushdown.ts';
