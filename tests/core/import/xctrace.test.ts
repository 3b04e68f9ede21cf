import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { checkImport } from '../../support/check-import.ts';
import { corpusRows, readCorpus, readExpected } from '../../support/corpus.ts';
import { differences, foldedLines, foldedText } from '../../support/folded-lines.ts';
import { corpus, needing } from '../../support/needing.ts';
import { rollUp } from '../../support/profile-rollup.ts';

checkImport({ path: 'xctrace/time-profile.xml', format: 'xctrace', isText: true });

const read = (content: string): Promise<Profile> =>
  importProfile(byteSource(`<?xml version="1.0"?>\n<trace-query-result>\n${content}\n</trace-query-result>\n`));
const ROW = '<row><backtrace id="1"><frame id="2" name="f" addr="0x10"/></backtrace></row>';

describe('exports of xctrace', () => {
  it('have stacks without a schema, threads and times', async () => {
    const profile = await read(`<node>${ROW}<row><backtrace ref="1"/></row></node>`);
    expect(foldedText(profile)).toBe('f 2\n');
    expect(profile.samples.time).toBeNull();
    expect(profile.valueTypes).toMatchObject([{ type: 'samples', unit: 'samples' }]);
  });

  it('accept names that are markup or those of objects', async () => {
    const profile = await read(ROW.replace('"f"', '"__proto__&lt;b&gt;"').replace('0x10', 'constructor'));
    expect(foldedText(profile)).toBe('__proto__<b> 1\n');
  });

  it('keep names of invalid UTF-8 apart', async () => {
    const rows = [1, 2].map((id) => `<row><backtrace><frame name="größe${id}"/></backtrace></row>`);
    const xml = `<trace-query-result><node>${rows.join('')}</node></trace-query-result>`;
    // Two names that end in one byte each which is not UTF-8; the rest of the file is.
    const bytes = Buffer.from(xml.replaceAll('e1', 'e\x01').replaceAll('e2', 'e\x02'));
    bytes.forEach((byte, at) => void (byte < 3 && (bytes[at] = 0xfd + byte)));
    for (const chunk of [1, 2, 3, bytes.length]) {
      const profile = await importProfile(byteSource(bytes, 'x.xml', chunk), { format: 'xctrace' });
      expect(foldedText(profile)).toBe('größeþ 1\ngrößeÿ 1\n');
      expect(profile.diagnostics).toMatchObject([{ code: 'not-utf8' }]);
    }
  });

  it.each([
    ['<node/>', 'unsupported', /without backtraces; export a table/, 1],
    [`<node>${ROW}<row><backtrace ref="7"/></row></node>`, 'malformed', /<backtrace> refers to a missing element/, 3],
    [`<node>${ROW}`, 'malformed', /unexpected close tag/, 4],
  ])('refuse %j', async (content, failure, message, line) => {
    await expect(read(content)).rejects.toMatchObject({
      failure,
      message: expect.stringMatching(message),
      location: { line },
    });
  });

  it('take no extra time for thread names of a megabyte', async () => {
    const names = ['main  0x1 (a (b), pid: 7)', `${' '.repeat(1e6)}x`, '0x1 ('.repeat(2e5), '0'.repeat(1e6)];
    const rows = names.map((name, row) => `<row><thread id="t${row}" fmt="${name}"/><backtrace/></row>`);
    const { threads, strings } = await read(`<node>${ROW}${rows.join('')}</node>`);
    expect(threads.length).toBe(5);
    expect(strings[threads.name[1]!]).toBe('main');
  });

  it('are refused if they are a table of contents, with how to export a table', async () => {
    const toc = '<?xml version="1.0"?>\n<trace-toc><run number="1"/></trace-toc>\n';
    await expect(importProfile(byteSource(toc))).rejects.toMatchObject({ failure: 'unsupported' });
  });
});

needing(corpus, () => {
  const [row] = corpusRows('xctrace-xml');
  describe('xctrace corpus', () => {
    it('has every stack of inferno, whose demangler keeps protecting underscores', async () => {
      const profile = await importProfile(byteSource(readCorpus(row!.path), row!.path));
      const ours = new Map(
        [...foldedLines(foldedText(profile))].map(([stack, count]) => [stack.replace(/^main;/, ''), count]),
      );
      const theirs = readExpected(row!, 'golden.folded')!
        .replaceAll(/_(?=[{<])/g, '')
        .replace(';0x18d3df0f1 ', ';[dyld] ');
      expect(differences(ours, foldedLines(theirs))).toEqual([]);
      expect(rollUp(profile, 0).sum).toBe(9581);
      expect(rollUp(profile, 1).sum).toBe(9581 * 1_000_000);
      expect(profile.samples.time![9580]).toBe(9_641_250_125);
    });
  });
});
