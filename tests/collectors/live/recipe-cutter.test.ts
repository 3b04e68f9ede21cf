import { describe, expect, test } from 'vitest';
import { importProfile } from '#core/import/import-profile.ts';
import { joinBytes } from '#core/model/join-bytes.ts';
import { createRecipeCutter, type RecipeCutter } from '#collectors/live/recipe-cutter.ts';
import { STAP_OUTPUT } from '#collectors/stap/collector.ts';
import type { CutText } from '#collectors/live/text-feed.ts';
import { byteSource } from '../../support/byte-source.ts';

const bpftrace = (): RecipeCutter => createRecipeCutter({ row: /\]: (\d{1,19})$/, isPeriodic: true });
const stap = (): RecipeCutter => createRecipeCutter(STAP_OUTPUT);
const HEADER = '# flamebench map=a,b total=total type=cpu unit=samples stacks=user keys=pid,tid,comm rate=99';
const row = (map: string, weight: number): string => `@${map}[\n    work\n    main\n, 7, 7, app]: ${weight}\n`;
const print = (turn: number, seconds: number, rows: string): string =>
  `# flamebench turn=${turn}\n${rows}# flamebench printed=${turn} at=${seconds * 1e9}\n`;

/** Pushes a text in pieces of `size` bytes. */
function cut(cutter: RecipeCutter, text: string, size = 7): CutText[] {
  const bytes = new TextEncoder().encode(text);
  const found: CutText[] = [];
  for (let at = 0; at < bytes.length; at += size) found.push(...cutter.push(bytes.subarray(at, at + size)));
  return found;
}

const spans = (texts: readonly CutText[]): unknown =>
  texts.map(({ span }) => span && [Number(span.start) / 1e9, Number(span.end) / 1e9]);

describe('bpftrace’s output', () => {
  const output = [
    `Attaching 4 probes...\n${HEADER}\n`,
    print(0, 11, row('a', 5)),
    print(1, 12, ''),
    print(2, 13, row('a', 3) + row('a', 2)),
    print(2, 13.5, ''),
    print(3, 13.5, row('b', 1)),
    '@total: 14\n# flamebench nanoseconds=3500000000\n',
  ].join('');

  test('is cut into the rows of each second, wherever its bytes are cut', async () => {
    for (const size of [1, 7, 10_000]) {
      const cutter = bpftrace();
      const texts = cut(cutter, output, size);
      expect(spans(texts)).toEqual([
        [10, 11],
        [11, 12],
        [12, 13],
        [13, 13.5],
      ]);
      expect(texts.map(({ chunks }) => chunks.length)).toEqual([1, 0, 1, 1]);
      const profile = await importProfile(byteSource(joinBytes([cutter.head!, ...texts[2]!.chunks])), {
        format: 'bpftrace',
      });
      expect(profile.samples.weights[0]!.reduce((sum, weight) => sum + weight, 0)).toBe(5);
      expect(cutter.lost).toBe(14 - 11);
    }
  });

  test('a second after the machine slept covers only itself', () => {
    const texts = cut(bpftrace(), `${HEADER}\n${print(0, 11, row('a', 1))}${print(1, 300, row('b', 1))}`);
    expect(spans(texts)).toEqual([
      [10, 11],
      [299, 300],
    ]);
  });

  test('a clock that goes back makes no span of negative length', () => {
    const texts = cut(bpftrace(), `${HEADER}\n${print(0, 11, row('a', 1))}${print(1, 5, row('b', 1))}`);
    expect(texts.every(({ span }) => span!.start < span!.end)).toBe(true);
  });
});

test('SystemTap’s output is cut at its prints, which may be late', async () => {
  const header =
    '# flamebench stap type=cpu unit=samples stacks=kernel,user keys=pid,tid,comm depth=64 module=stap_x_1';
  const rows = 'kernel\nuser\n 0x55 : work+0x1/0x9 [/srv/app]\nrow 4 7 7 app\n';
  const cutter = stap();
  const texts = cut(
    cutter,
    `${header}\n${rows}# flamebench printed at=11000000000\n${rows}# flamebench printed at=21000000000\n# flamebench total=8 in_kernel=0 cycles=9 nanoseconds=9\n`,
  );
  expect(spans(texts)).toEqual([
    [10, 11],
    [11, 21],
  ]);
  expect(cutter.lost).toBe(0);
  const profile = await importProfile(byteSource(joinBytes([cutter.head!, ...texts[1]!.chunks])), { format: 'stap' });
  expect([...profile.samples.weights[0]!]).toEqual([4]);
  expect(profile.diagnostics.map(({ code }) => code)).not.toContain('skipped-line');
});

test('SystemTap’s last rows, printed outside of the process, have the names of earlier ones', async () => {
  const header = '# flamebench stap type=cpu unit=samples stacks=kernel,user keys=pid,tid,comm depth=64';
  const printed = (at: number, ...frames: readonly string[]): string =>
    `kernel\nuser\n${frames.map((frame) => ` ${frame}\n`).join('')}row 4 7 7 app\n# flamebench printed at=${at}000000000\n`;
  const cutter = stap();
  const texts = cut(
    cutter,
    `${header}\n${printed(11, '0x55 : work+0x1/0x9 [/srv/app]')}${printed(12, '0x55 : 0x55', '0x55', '0x66 : 0x66')}`,
  );
  const profile = await importProfile(byteSource(joinBytes([cutter.head!, ...texts[1]!.chunks])), { format: 'stap' });
  const nameOf = (frame: number): string => profile.strings[profile.functions.name[profile.frames.func[frame]!]!]!;
  expect([...new Set(Array.from(profile.stacks.frame, nameOf))]).toEqual(['[unknown]', 'work']);
});

test('rows without end are bounded, said once, and counted as lost', () => {
  const cutter = createRecipeCutter({ row: /\]: (\d{1,19})$/, isPeriodic: true }, 1000);
  const endless = Array.from({ length: 100 }, () => row('a', 2)).join('');
  const texts = cut(
    cutter,
    `${HEADER}\n${print(0, 11, row('a', 1))}${endless}${'x'.repeat(5000)}\n# flamebench printed=1 at=12000000000\n${print(2, 13, row('a', 4))}@total: 205\n`,
  );
  expect(texts.flatMap(({ problem }) => problem ?? [])).toHaveLength(1);
  expect(texts.filter(({ chunks }) => chunks.length > 0).map(({ span }) => span!.end)).toEqual([
    11_000_000_000n,
    13_000_000_000n,
  ]);
  expect(cutter.lost).toBe(200);
});
