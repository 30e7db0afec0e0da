// Where in the file what lies: the inspector's page of a .cna file, and stretches of bytes of the others.
import { inspectHtml } from 'colkit/inspect';
import type { SyrahFile } from 'syrah';
import type { FileInfo } from 'colstore';
import { countText } from '../text.ts';
import type { Layout, Stretch } from '../protocol.ts';
import type { OpenedFile } from './opened-file.ts';

/** Of a .syr file, as the format's description has it. */
const HEADER_BYTES = 22;

export async function layoutOf(file: OpenedFile): Promise<Layout> {
  const { content } = file;
  if (content.kind === 'items') return ofItems(content.file);
  if (content.opened.format === 'cstore') return ofColstore(await file.info());
  return { kind: 'page', html: await inspectHtml(content.opened.source) };
}

function ofColstore(info: FileInfo): Layout {
  const { layout, rowCount, recordCount, columns, byteLength, dataOffset, hasChecksum, uncommittedBytes, statistics } =
    info;
  const rowBytes = columns.reduce((sum, { itemBytes }) => sum + itemBytes, 0);
  const stretches: Stretch[] = [{ what: 'header and manifest', byteOffset: 0, byteLength: dataOffset, kind: 'head' }];
  if (layout === 'flat') {
    let byteOffset = dataOffset;
    for (const { name, descr, itemBytes } of columns) {
      const columnBytes = itemBytes * rowCount;
      stretches.push({ what: `column ${name} (${descr})`, byteOffset, byteLength: columnBytes, kind: 'data' });
      byteOffset += columnBytes;
    }
  } else {
    const data = byteLength - dataOffset - uncommittedBytes;
    stretches.push({
      what: `${countText(recordCount, 'record', 'records')}${statistics === null ? '' : ', statistics'}`,
      byteOffset: dataOffset,
      byteLength: data,
      kind: 'data',
    });
  }
  if (uncommittedBytes > 0)
    stretches.push({
      what: 'not committed',
      byteOffset: byteLength - uncommittedBytes,
      byteLength: uncommittedBytes,
      kind: 'free',
    });
  return {
    kind: 'stretches',
    stretches,
    facts: [
      `layout: ${layout}`,
      `${countText(rowCount, 'row', 'rows')} of ${String(rowBytes)} bytes`,
      countText(recordCount, 'record', 'records'),
      hasChecksum ? 'a checksum covers the names and types of the columns' : 'no checksum',
    ],
  };
}

function ofItems(file: SyrahFile): Layout {
  const { itemCount, dataBytes, byteLength, form, version } = file;
  const metadataOffset = HEADER_BYTES + dataBytes;
  return {
    kind: 'stretches',
    stretches: [
      { what: 'header', byteOffset: 0, byteLength: HEADER_BYTES, kind: 'head' },
      {
        what: `arrays of ${countText(itemCount, 'item', 'items')}`,
        byteOffset: HEADER_BYTES,
        byteLength: dataBytes,
        kind: 'data',
      },
      {
        what: 'metadata (BSON)',
        byteOffset: metadataOffset,
        byteLength: byteLength - metadataOffset,
        kind: 'index',
      },
    ],
    facts: [`version ${version}, ${form} form`, ...file.keys.map((key) => lengthsOf(file, key))],
  };
}

function lengthsOf(file: SyrahFile, key: string): string {
  const lengths = file.lengths(key);
  let least = Infinity;
  let most = 0;
  let sum = 0;
  for (const length of lengths) {
    least = Math.min(least, length);
    most = Math.max(most, length);
    sum += length;
  }
  if (lengths.length === 0) return `${key}: no item`;
  return least === most
    ? `${key}: ${countText(least, 'value', 'values')} in every item`
    : `${key}: ${least.toLocaleString('en')} to ${most.toLocaleString('en')} values, ` +
        `${(sum / lengths.length).toFixed(1)} on average`;
}
