import { reportPicture, type ReportPicture } from '#core/report/report-picture.ts';
import type { PreparedReport } from '#core/report/prepare.ts';
import type { SectionOf } from '#core/contract/report/report.ts';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { unpackBytes } from '#core/import/report/embed.ts';
import { htmlText, markup } from '#core/export/markup.ts';
import { reportPage } from '#core/report/page.ts';
import type { Redaction } from '#core/redact/identities.ts';
import { reportSvg } from '#core/report/report-picture.ts';
import { reportCsv, reportJson, reportMarkdown, tablesOf } from '#core/report/report-text.ts';
import { readReportCapture, readReportHtml } from '#core/import/report/read-report.ts';
import { byteSource } from '../../support/byte-source.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { HOSTILE_TEXTS, hostileReport } from '../../support/hostile-report.ts';
import { htmlOf, noteOn, reportOf } from '../../support/report-of.ts';

const BEFORE = 'main;parse;read 30\nmain;parse 10\nmain;write 20';
const AFTER = 'main;parse;read 10\nmain;parse 10\nmain;write 22';

/** Elements of an HTML or XML text that may run, load or send something. */
function activeElements(text: string): string[] {
  const inert = text
    .replaceAll(/<script type="application\/x-flamebench-[a-z]+" id="[\w-]+">[A-Za-z0-9+/=\s]*<\/script>/g, '')
    // Quotation marks within values and text are escaped.
    .replaceAll(/="[^"<]*"/g, '=""');
  return (
    inert.match(
      /<\/?\s*(?:script|img|iframe|object|embed|link|base|form|input|video|audio|foreignObject|use|image)\b[^>]*>|<[^>]+\son\w+\s*=[^>]*>/gi,
    ) ?? []
  ).filter((tag) => tag !== '<script>' && tag !== '</script>');
}

/** Exports a report with a text in every possible place, and checks that it remains text. */
async function expectInert(text: string): Promise<void> {
  const built = await hostileReport(text);
  const { prepared } = built;
  const html = htmlOf(built);
  expect(activeElements(html)).toEqual([]);
  expect(readReportHtml(html).report).toEqual(built.report);
  for (const isInteractive of [false, true]) {
    const svg = reportSvg(prepared, isInteractive)!;
    const own = isInteractive
      ? svg.replace(/<script[^>]*><!\[CDATA\[.*?\]\]><\/script>/s, '').replace(' onload="init(evt)"', '')
      : svg;
    expect(activeElements(own)).toEqual([]);
    expect(own).not.toMatch(/<!\[CDATA|\]\]>/);
  }
  const markdown = reportMarkdown(prepared, 'x.svg').split('## Notes')[0]!;
  expect(activeElements(markdown.replace(/`[^`\n]*`/g, '').replaceAll(String.raw`\<`, ''))).toEqual([]);
  for (const table of tablesOf(prepared)) {
    const rows = reportCsv(prepared, table).split('\r\n');
    expect(rows.filter((row) => /^[=+@]/.test(row))).toEqual([]);
  }
  expect(JSON.parse(reportJson(prepared))).toMatchObject({ title: text });
}

const asIs = (profile: Profile) => ({ ...profile, metadata: { ...profile.metadata, fileName: null } });

describe('the file of a report', () => {
  it('contains its captures, notes and sections, byte for byte the same each time', async () => {
    const notes = [noteOn('c1', { kind: 'function', func: { name: 'parse', module: '' } }, 'slow')];
    const built = await reportOf([profileFromText(BEFORE)], { notes });
    const html = htmlOf(built);
    expect(htmlOf(await reportOf([profileFromText(BEFORE)], { notes }))).toBe(html);
    const { report, captures } = readReportHtml(html);
    expect(report).toEqual(built.report);
    expect(readReportCapture(captures.get('c1')!)).toEqual(built.profiles.get('c1'));
    expect(html).toContain('id="note-1"');
    expect(html).toContain('href="#note-1"');
  });

  it('opens as a profile, its first capture', async () => {
    const profile = profileFromText(BEFORE);
    const html = htmlOf(await reportOf([profile, profileFromText(AFTER)]));
    const read = await importProfile(byteSource(new TextEncoder().encode(html), 'x.report.html'));
    expect(read.diagnostics.map(({ code }) => code)).toContain('more-captures');
    expect(asIs({ ...read, diagnostics: [] })).toEqual(asIs({ ...profile, diagnostics: [] }));
  });

  it('is refused with the reason if it is damaged', async () => {
    const html = htmlOf(await reportOf([profileFromText(BEFORE)]));
    expect(() => readReportHtml('<html></html>')).toThrow('not a report');
    expect(() => readReportHtml(html.replace(/id="flamebench-report">[^<]*/, 'id="flamebench-report">AAAA'))).toThrow(
      'damaged',
    );
    expect(() =>
      readReportHtml(html.replace(/<script type="application\/x-flamebench-capture"[^<]*<\/script>/, '')),
    ).toThrow('lacks the data of its capture capture 1');
  });

  it('has a policy that allows only its own script and style', async () => {
    const html = htmlOf(await reportOf([profileFromText(BEFORE)]));
    const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(html)!;
    expect(policy).toContain('default-src &#39;none&#39;');
    expect(policy).toContain('script-src &#39;sha256-x&#39;;');
    expect(policy).not.toMatch(/unsafe|blob:|data:|https?:|\*/);
  });
});

describe('hostile contents', () => {
  it.each(HOSTILE_TEXTS)('%j remains text everywhere in every export', async (text) => {
    await expectInert(text);
  });

  it('any string remains text in every export', async () => {
    const part = fc.constantFrom(
      '<',
      '</',
      '>',
      '"',
      "'",
      '&',
      '`',
      '|',
      ']]>',
      '<!--',
      'script',
      'on',
      '=',
      ' ',
      '\n',
      '\\',
    );
    const text = fc.array(fc.oneof(part, fc.string({ unit: 'grapheme', maxLength: 4 })), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(text, async (parts) => expectInert(parts.join(''))),
      { numRuns: 40 },
    );
  });

  it('never becomes markup, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const html = htmlText(markup('p', { title: text }, text));
        expect(html.replace(/^<p title="[^"<>]*">/, '').replace(/<\/p>$/, '')).not.toMatch(/[<>"']/);
      }),
    );
  });

  it('allows only links to the web or within the page', () => {
    for (const href of [
      'javascript:alert(1)',
      'data:text/html,x',
      ' javascript:x',
      '//x',
      'file:///etc/passwd',
      '#a b',
    ]) {
      expect(markup('a', { href }, 'x').attributes).toEqual({});
    }
    expect(markup('a', { href: 'https://example.com' }, 'x').attributes).toEqual({ href: 'https://example.com' });
    expect(() => markup('script', {})).toThrow(RangeError);
    expect(() => markup('p', { onclick: 'x' })).toThrow(RangeError);
    expect(() => markup('p', { style: 'x' })).toThrow(RangeError);
  });
});

describe('redaction', () => {
  const secretive = (): Profile => {
    const profile = profileFromText(BEFORE.replaceAll('parse', '/home/alice/src/app/parse.go:alice.Run'));
    return {
      ...profile,
      metadata: {
        ...profile.metadata,
        hostName: 'db-eu7.prod.example.com',
        command: 'perf record -o /home/alice/perf.data ssh alice@db-eu7.prod.example.com --token=abc',
        comments: ['from http://db-eu7.prod.example.com:6060/debug/pprof'],
      },
    };
  };

  /** Returns the whole text of a file, with its data unpacked. */
  function everything(html: string): string {
    const packed = [...html.matchAll(/<script type="application\/x-flamebench-[a-z]+" id="[\w-]+">([^<]*)</g)];
    return [html, ...packed.map(([, data]) => new TextDecoder('latin1').decode(unpackBytes(data!)))].join('\n');
  }

  it('covers names, notes, commands and data, and lists what it replaced', async () => {
    const notes = [noteOn('c1', { kind: 'whole' }, 'alice saw it on db-eu7')];
    const built = await reportOf([secretive()], { kinds: ['home', 'user', 'host'], notes, title: 'alice: slow parse' });
    const text = everything(htmlOf(built));
    expect(text).not.toMatch(/alice/i);
    expect(text).not.toMatch(/db-eu7/i);
    expect(text).toContain('/home/user-1/src/app/parse.go:user-1.Run');
    expect(built.replaced.map(({ kind, from, token }) => [kind, from, token])).toEqual([
      ['home', 'alice', 'user-1'],
      ['user', 'alice', 'user-1'],
      ['host', 'db-eu7', 'host-1'],
      ['host', 'db-eu7.prod.example.com', 'host-2'],
    ]);
    expect(built.prepared.captures.get('c1')!.stacks.total).toBe(60);
  });

  it('keeps exceptions, and strips folders, arguments and kernel addresses on request', async () => {
    const kept = everything(htmlOf(await reportOf([secretive()], { kinds: ['user', 'host'], keep: ['alice'] })));
    expect(kept).toContain('/home/alice/');
    const bare = everything(htmlOf(await reportOf([secretive()], { kinds: ['paths', 'arguments'] })));
    expect(bare).not.toMatch(/\/home\/|--token/);
    expect(bare).toContain('perf (arguments removed)');
  });

  it('replaces common and short names only where a path or an address shows what they are', async () => {
    const profile = profileFromText('app.main;bob 1');
    const { prepared, report } = await reportOf([profile], {
      kinds: ['home', 'user', 'host'],
      title: '/home/app/x /home/bob/y app bob bob@app',
    });
    expect(report.title).toBe('/home/user-1/x /home/user-2/y app bob user-2@host-1');
    expect(prepared.captures.get('c1')!.profile.strings).toContain('app.main');
  });

  it('gives a name one token, however it is written', async () => {
    const { report } = await reportOf([profileFromText('main 1')], {
      kinds: ['home', 'user', 'host'],
      title: String.raw`C:\Users\Alice\x /home/alice/x Alice alice ALICE`,
    });
    expect(report.title).toBe(String.raw`C:\Users\user-1\x /home/user-1/x user-1 user-1 user-1`);
  });

  it('finds hosts within identifiers, as identifiers write them', async () => {
    const names = ['poll_db_eu7', 'poll_DB-EU7_again', 'db_eu7x', 'xdb_eu7', 'web_init', 'eu7'].map(
      (name) => `main;${name} 1`,
    );
    const profile = { ...profileFromText(names.join('\n')) };
    const hosts = ['db-eu7', 'web'].map((host) => `from http://${host}:6060/`);
    const built = await reportOf([{ ...profile, metadata: { ...profile.metadata, comments: hosts } }], {
      kinds: ['host'],
    });
    expect(everything(htmlOf(built))).not.toMatch(/(?<![\da-z])db[-_]eu7(?![\da-z])/i);
    const { strings } = built.profiles.get('c1')!;
    for (const name of ['poll_host-1', 'poll_host-1_again', 'db_eu7x', 'xdb_eu7', 'web_init', 'eu7']) {
      expect(strings).toContain(name);
    }
  });

  it('strips containers, images and pods on request, and lists them', async () => {
    const id = '0123456789abcdef'.repeat(4);
    const container = {
      id: `docker:${id.slice(0, 12)}`,
      name: 'shop-checkout',
      image: 'registry.acme.example/shop:1.27',
      digest: `sha256:${id}`,
      pod: 'retail/checkout-0',
    };
    const command = `perf record -G /system.slice/docker-${id}.scope`;
    const profile = profileFromText('main 1');
    const make = (kinds: readonly Redaction[]) =>
      reportOf([{ ...profile, metadata: { ...profile.metadata, command } }], {
        kinds,
        capture: { document: { container }, name: 'shop-checkout under load' },
      });
    const told = htmlText(reportPage((await make([])).prepared));
    for (const fact of ['shop-checkout (docker:0123456789ab)', container.image, container.digest, container.pod]) {
      expect(told).toContain(fact);
    }
    const built = await make(['containers']);
    expect(everything(htmlOf(built))).not.toMatch(/checkout|acme|retail|0123456789ab/);
    expect(built.report.captures[0]!.name).toBe('container-2 under load');
    expect(built.replaced.map(({ from, token }) => [from, token])).toEqual([
      ['0123456789ab', 'container-1'],
      ['shop-checkout', 'container-2'],
      [container.image, 'image-1'],
      [container.digest, 'digest-1'],
      [container.pod, 'pod-3'],
    ]);
  });

  it('is idempotent: redacting again changes nothing', async () => {
    const once = await reportOf([secretive()], { kinds: ['home', 'user', 'host'] });
    const twice = await reportOf([once.profiles.get('c1')!], { kinds: ['home', 'user', 'host'] });
    expect(twice.profiles.get('c1')!.strings).toEqual(once.profiles.get('c1')!.strings);
  });
});

describe('the picture of a report', () => {
  it('has the same widths after importing and exporting it again', async () => {
    const { prepared } = await reportOf([profileFromText(BEFORE)]);
    for (const isInteractive of [false, true]) {
      const svg = reportSvg(prepared, isInteractive)!;
      const read = await importProfile(byteSource(new TextEncoder().encode(svg), 'x.svg'));
      const { prepared: again } = await reportOf([read]);
      const widths = (text: string): string[] =>
        [...text.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => title!);
      expect(widths(reportSvg(again, false)!)).toEqual(widths(svg));
    }
  });

  it('shows a comparison as the window does: both sides or the deltas, zoomed, upright, with its transforms', async () => {
    const zoom = [{ name: 'main', module: '', file: '', line: 0 }];
    const at = { zoom: [{ ...zoom[0]!, name: 'main' }], orientation: 'icicle' as const };
    const of = async (section: Partial<SectionOf<'delta-graph'>>): Promise<PreparedReport> => {
      const sections = [{ kind: 'delta-graph' as const, look: 'sides' as const, ...section }];
      const capture = { view: ['threads: (all 1)', 'transform 1: Hide idle (1 found, hid 5 samples)'] };
      return (
        await reportOf([profileFromText('main;a 30\nb 10'), profileFromText('main;a 10\nc 30')], { sections, capture })
      ).prepared;
    };
    const frames = (picture: ReportPicture): string[] =>
      picture.picture.frames.map(({ depth, left, width, name }) => `${depth} ${name} ${left}+${width}`);
    const sides = reportPicture(await of(at), true)!;
    // 75 % before and 25 % after.
    expect(frames(sides)).toEqual([
      '0 before and after 0+1180',
      '1 before 0+885',
      '2 main 0+885',
      '3 a 0+885',
      '1 after 885+295',
      '2 main 885+295',
      '3 a 885+295',
    ]);
    expect(sides.picture.orientation).toBe('icicle');
    expect(sides.subtitle.join('\n')).toMatch(
      /Both sides on one scale.* Zoomed to main\.\nOrange-red grew, .*\nView: Hide idle\.$/s,
    );
    const deltas = reportPicture(await of({ ...at, look: 'delta', width: 'after' }), true)!;
    expect(frames(deltas)).toEqual(['0 main 0+1180', '1 a 0+1180']);
    expect(deltas.subtitle[1]).toContain('frames as wide as after');
    const gone = { zoom: [{ ...zoom[0]!, name: 'b' }] };
    expect(reportPicture(await of(gone), true)!.subtitle[1]).toContain('Zoomed to b, which is not in after.');
    // The search dims what it does not match, whatever its colour is.
    const fills = async (search: string): Promise<[string, string][]> =>
      reportPicture(await of({ search }))!.picture.frames.map(({ name, fill }) => [name, fill]);
    const [found, whole] = [new Map(await fills('A$|main')), new Map(await fills(''))];
    expect([...whole.keys()].filter((name) => found.get(name) !== whole.get(name))).toEqual(['b', 'c', 'a']);
    expect(new Map(await fills('^a$')).get('a')).toBe(whole.get('a'));
    expect(reportPicture(await of({ search: 'a(' }))!.subtitle.join('\n')).toContain(
      'Invalid search, nothing is highlighted: a( (',
    );
    // A report of the command line shows the deltas of all.
    expect(reportPicture(await of({}))!.picture.frames.map(({ name }) => name)).toEqual(['all', 'b', 'c', 'main', 'a']);
    // Tools that read flame graphs read both sides.
    const svg = reportSvg(await of(at), true, true)!;
    const read = await importProfile(byteSource(new TextEncoder().encode(svg), 'x.svg'));
    expect(read.diagnostics.map(({ code }) => code)).not.toContain('skipped-frame');
    expect(read.samples.length).toBe(2);
  });

  it('numbers notes and lists them', async () => {
    const notes = [noteOn('c1', { kind: 'function', func: { name: 'parse', module: '' } }, '# too slow\nmore')];
    const { prepared } = await reportOf([profileFromText(BEFORE)], { notes });
    const svg = reportSvg(prepared, false)!;
    expect(svg).toMatch(/class="pin-number"[^>]*>1</);
    expect(svg).toContain('1  too slow');
    expect(reportMarkdown(prepared, null)).toContain('1. On `parse`:\n   \n   # too slow\n   more');
    expect(reportCsv(prepared, 'functions')).toContain('# note 1 on parse: # too slow more');
  });

  it('says which notes are on a time that the report does not show', async () => {
    const at = (start: number, end: number | null) => noteOn('c1', { kind: 'range', start, end }, `at ${start}`);
    const notes = [at(200, 500), at(599, null), at(900, 950), at(500, 601), at(600, null), at(899, 950)];
    const capture = { range: { start: 600, end: 900 } };
    const { prepared } = await reportOf([profileFromText(BEFORE)], { notes, capture });
    const lines = reportMarkdown(prepared, null).split('\n');
    const isLost = (text: string): boolean =>
      lines.find((line) => line.endsWith(text))!.includes('(not in this report)');
    expect(notes.map(({ note }) => isLost(note.text))).toEqual([true, true, true, false, false, false]);
    expect(htmlOf(await reportOf([profileFromText(BEFORE)], { notes }))).not.toContain('which is not in this report');
  });

  it('writes HTML in notes as text into Markdown', async () => {
    const text = 'a <script>x</script> `<b>` <https://a.b/> <javascript:x> <!-- c --> 1 < 2';
    const { prepared } = await reportOf([profileFromText(BEFORE)], { notes: [noteOn('c1', { kind: 'whole' }, text)] });
    const markdown = reportMarkdown(prepared, null);
    expect(markdown).toContain(String.raw`a \<script>x\</script>`);
    expect(markdown).toContain(String.raw`<https://a.b/> \<javascript:x> \<!-- c --> 1 < 2`);
  });

  it('writes images in notes and texts as text into Markdown, so that reading it loads nothing', async () => {
    const inline = String.raw`![a](https://x/1.png) \![link](https://x/2) \\![b [c]][x] ![x]`;
    const notes = [noteOn('c1', { kind: 'whole' }, inline), noteOn('c1', { kind: 'whole' }, '[x]: https://x/3.png')];
    const sections = [{ kind: 'text' as const, text: inline }];
    const { prepared } = await reportOf([profileFromText(BEFORE)], { notes, sections });
    const nodes = (node: Nodes): string[] => [node.type, ...('children' in node ? node.children.flatMap(nodes) : [])];
    const types = nodes(fromMarkdown(reportMarkdown(prepared, null)));
    expect(types.filter((type) => type.startsWith('image'))).toEqual([]);
    expect(types).toContain('link');
  });
});
