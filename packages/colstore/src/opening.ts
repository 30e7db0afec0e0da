// Opening: where that is. In builds for browsers it is loaded while the source is opened.
export { infoOfTable, openedTable, readingInfo, readingSchema, reopening } from './opened-table.ts';
