// What a table needs of pages.
export { readRows } from './pages/read-rows.ts';
export { viewPage } from './view-page.ts';
