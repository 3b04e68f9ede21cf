import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anchorsOf, checkLinks, linksOf } from '../../scripts/check-links.ts';

describe('linksOf', () => {
  it('finds links, images, definitions and HTML, and ignores code', () => {
    const markdown = [
      '[a](one.md) and ![b](two.png "title")',
      '`[not](code.md)` ``[nor](`this`)``',
      '```',
      '[nor](fenced.md)',
      '```',
      '[ref]: three.md#part',
      '<img src="four.png">',
    ].join('\n');
    expect(linksOf(markdown)).toEqual([
      { target: 'one.md', line: 1 },
      { target: 'two.png', line: 1 },
      { target: 'three.md#part', line: 6 },
      { target: 'four.png', line: 7 },
    ]);
  });
});

describe('anchorsOf', () => {
  it("follows GitHub's rule", () => {
    expect([...anchorsOf('# Two words\n## `code` & more!\n## Two words\n<a id="own"></a>\n')]).toEqual([
      'two-words',
      'code--more',
      'two-words-1',
      'own',
    ]);
  });
});

describe('checkLinks', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'flamebench-links-'));
    mkdirSync(path.join(root, 'docs'));
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  it('reports a broken link', () => {
    writeFileSync(
      path.join(root, 'README.md'),
      '# Top\n[ok](docs/a.md#part) [self](#top) [web](https://example.org)\n',
    );
    writeFileSync(
      path.join(root, 'docs', 'a.md'),
      '## Part\n[up](../README.md)\n[gone](b.md)\n[anchor](../README.md#nope)\n[out](../../x.md)\n[abs](/docs/a.md)\n',
    );
    const { files, broken } = checkLinks(root);
    expect(files).toBe(2);
    expect(broken).toEqual([
      `${path.join('docs', 'a.md')}:3: 'b.md' does not exist`,
      `${path.join('docs', 'a.md')}:4: '../README.md#nope' has no such heading`,
      `${path.join('docs', 'a.md')}:5: '../../x.md' leaves the repository`,
      `${path.join('docs', 'a.md')}:6: '/docs/a.md' is absolute: write it relative to the file`,
    ]);
  });
});
