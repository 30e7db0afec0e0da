import { describe, expect, it } from 'vitest';
import { escaped, parseXml, textOf } from '../src/requests/xml.ts';

describe('answers of servers', () => {
  it('reads elements, text, entities and what is passed over', () => {
    const root = parseXml(
      '\uFEFF<?xml version="1.0"?>\n<!-- <a> --><s:R xmlns:s="x"><K>a &amp;&#x1F600;&#9;&lt;<![CDATA[<&>]]></K>' +
        '<K/><E a="1" b=\'2\'>\n<K>z</K> </E ></s:R>\n',
    );
    expect([root.name, textOf(root, 'K'), root.elements.map(({ name }) => name)]).toEqual([
      'R',
      'a &\u{1F600}\t<<&>',
      ['K', 'K', 'E'],
    ]);
    expect(textOf(root, 'none')).toBe(null);
    expect(textOf(parseXml(`<a><b>${escaped('"<&>\'')}</b></a>`), 'b')).toBe('"<&>\'');
  });

  it.each([
    '',
    'text',
    '<a>',
    '<a></b>',
    '</a>',
    '<a/><b/>',
    '<a/>text',
    '<a>&unknown;</a>',
    '<a>&#x110000;</a>',
    '<a>&amp</a>',
    '<a><b',
    '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    '<a>'.repeat(20) + '</a>'.repeat(20),
  ])('refuses %j', (text) => {
    expect(() => parseXml(text)).toThrow(Error);
  });
});
