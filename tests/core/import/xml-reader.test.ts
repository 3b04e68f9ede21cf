import { describe, expect, it } from 'vitest';
import { XmlReader } from '#core/import/text/xml-reader.ts';

/** Returns what the reader reports for `xml` in chunks of `chunkBytes`. */
function tell(xml: string, chunkBytes = Infinity): string[] {
  const told: string[] = [];
  const reader = new XmlReader({
    open: (name, attributes) =>
      void told.push(`<${[name, ...[...attributes].map((pair) => pair.join('='))].join(' ')}>`),
    text: (text) => void told.push(text),
    close: (name) => void told.push(`</${name}>`),
  });
  const bytes = new TextEncoder().encode(xml);
  for (let at = 0; at < bytes.length; at += chunkBytes) reader.push(bytes.subarray(at, at + chunkBytes));
  reader.finish();
  return told;
}

const DOCUMENT = `<?xml version="1.0"?>
<!DOCTYPE a SYSTEM "a.dtd">
<!-- <b> -->
<a x='1 > 0' y="&lt;&quot;größe&#x21;&#33;&apos;">t&amp;u<b/><![CDATA[<c>&amp;]]></a>
`;

describe('the XML reader', () => {
  it.each([1, 2, 3, 7, Infinity])('passes on elements, attributes and text, in chunks of %d bytes', (chunkBytes) => {
    expect(tell(DOCUMENT, chunkBytes)).toEqual(['<a x=1 > 0 y=<"größe!!\'>', 't&u', '<b>', '</b>', '<c>&amp;', '</a>']);
  });

  it('keeps unknown entities unchanged', () => {
    expect(tell('<a>&nbsp;&#x110000;</a>')).toEqual(['<a>', '&nbsp;&#x110000;', '</a>']);
  });

  it.each([
    ['<a>\n<b>\n</a>', 3, /unexpected close tag/],
    ['<a>\n', 2, /is truncated/],
    ['<a', 1, /is truncated/],
    ['<a>&</a>', 1, /is truncated/],
    ['<a>\n<b c></b></a>', 2, /attribute without value/],
    ['<a>\n< b></a>', 2, /disallowed character in tag name/],
    ['<!DOCTYPE a [<!ENTITY b "c">]>', 1, /document type/],
    ['<a>'.repeat(10_001), 1, /more than 10000 nested elements/],
  ])('refuses %j with its line', (xml, line, message) => {
    expect(() => tell(xml)).toThrow(
      expect.objectContaining({ failure: 'malformed', location: { line }, message: expect.stringMatching(message) }),
    );
  });

  it('refuses an endless tag before it takes much memory', () => {
    const reader = new XmlReader({ open: () => {}, text: () => {}, close: () => {} });
    reader.push(new TextEncoder().encode('<a '));
    const megabyte = new Uint8Array(2 ** 20).fill(0x61);
    expect(() => {
      for (let chunk = 0; chunk < 20; chunk++) reader.push(megabyte);
    }).toThrow(expect.objectContaining({ failure: 'too-large' }));
  });
});
