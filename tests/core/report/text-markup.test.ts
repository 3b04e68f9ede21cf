import fc from 'fast-check';
import { expect, test } from 'vitest';
import { htmlText } from '#core/export/markup.ts';
import { textMarkup } from '#core/report/text-markup.ts';

const html = (text: string): string =>
  textMarkup(text)
    .children.map((child) => htmlText(child))
    .join('');

test('prints CommonMark with tables', () => {
  expect(html('# A *b* **c** `d<e`\n\n3. x\n4. y\n\n> q\n\n---\n\n    code & more')).toBe(
    '<h3>A <em>b</em> <strong>c</strong> <code>d&lt;e</code></h3><ol start="3"><li><p>x</p></li><li><p>y</p></li></ol>' +
      '<blockquote><p>q</p></blockquote><hr><pre><code>code &amp; more</code></pre>',
  );
  expect(html('| a | b |\n|--:|---|\n| 1 | 2 |')).toBe(
    '<table><thead><tr><th class="right">a</th><th>b</th></tr></thead><tbody><tr><td class="right">1</td><td>2</td></tr></tbody></table>',
  );
});

test('links to https, http and mail addresses; others are text', () => {
  expect(html('[x](https://a.b/?q=1&r="2") <mailto:a@b.c>')).toBe(
    '<p><a href="https://a.b/?q=1&amp;r=&quot;2&quot;" rel="noopener noreferrer">x</a> ' +
      '<a href="mailto:a@b.c" rel="noopener noreferrer">mailto:a@b.c</a></p>',
  );
  for (const address of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    '//evil',
    'vbscript:x',
    'file:///etc',
    '/x',
  ])
    expect(html(`[x](${address})`)).not.toContain('<a');
  expect(html('[x][r]\n\n[r]: javascript:alert(1)')).toBe('<p>x (javascript:alert(1))</p>');
});

test('shows HTML and images as typed text', () => {
  expect(html('a <script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n![y](http://t/1.png)')).toBe(
    '<p>a &lt;script&gt;alert(1)&lt;/script&gt;</p><p>&lt;img src=x onerror=alert(1)&gt;</p><p>![y](http://t/1.png)</p>',
  );
});

test('shows excessive nesting as typed, in time', () => {
  for (const deep of [
    '>'.repeat(20_000),
    '- '.repeat(10_000),
    '*a '.repeat(6600),
    `${'['.repeat(9000)}x`,
    '_a **b '.repeat(2800),
  ])
    expect(html(deep).length).toBeGreaterThanOrEqual(deep.length / 2);
  expect(html(`${'> '.repeat(40)}x`)).toContain('x');
});

test('adds no markup that was not typed', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '&',
    '`',
    '*',
    '_',
    '[',
    ']',
    '(',
    ')',
    'javascript:',
    'https://a',
    '\n',
    ' ',
    '|',
    '-|-',
    '<img src=x onerror=y>',
    '</script>',
    '&lt;',
    '\\',
    '#',
    'a',
  );
  const allowed =
    /<\/?(?:p|h[3-6]|pre|code|blockquote|li|ul|ol|table|thead|tbody|tr|th|td|hr|br|em|strong|a)(?: href="(?:https?:\/\/|mailto:)[^"<>]*" rel="noopener noreferrer"| start="\d+"| class="(?:left|right|center)")?>/g;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      expect(html(pieces.join('')).replaceAll(allowed, '')).not.toMatch(/[<>]/);
    }),
  );
});
