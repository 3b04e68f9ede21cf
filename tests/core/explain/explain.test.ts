import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { describe, expect, test } from 'vitest';
import { patternsHere } from '#core/analyze/transforms/resolve-transforms.ts';
import type { CaptureFacts } from '#core/compare/measure/capture-facts.ts';
import { unlinked } from '#core/export/markdown-text.ts';
import { explainCapture } from '#core/explain/explain-capture.ts';
import { explainComparison } from '#core/explain/explain-comparison.ts';
import type { Alternative, Explanation, ExplanationContext } from '#core/explain/explanation.ts';
import { explanationAsMarkdown, explanationAsText } from '#core/explain/print.ts';
import { runOrder, type RunOrder } from '#core/explain/run-order.ts';
import { captureQuality } from '#core/model/capture-quality.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { captureOf, compareRaw } from '../compare/captures.ts';

const NO_CONTEXT: ExplanationContext = { commands: [], evidenceOf: () => null, open: [] };
const MACHINE = { host: 'web-1', kernel: '6.1.0', cpuCount: 2 };
const WHOLE_RUN = { durationSeconds: 10, isWholeRun: true, requests: 1, ...MACHINE } as const;

/** Makes runs of a program in which `parse` has these samples; the others vary by a sample or two. */
const runs = (
  parse: readonly number[],
  facts: Partial<CaptureFacts> = WHOLE_RUN,
  name = 'parse',
): ReturnType<typeof captureOf>[] =>
  parse.map((samples, run) =>
    captureOf(profileFromText(`main;${name} ${samples}\nmain;send ${5000 + run}\nmain;rare 1`), {
      ...facts,
      name: `run ${run + 1}`,
    }),
  );

const explain = async (
  before: ReturnType<typeof runs>,
  after: ReturnType<typeof runs>,
  order: RunOrder = 'in turn',
): Promise<Explanation> => explainComparison(await compareRaw(before, after, null), order);

const causes = ({ alternatives }: Explanation): Record<string, Alternative['status']> =>
  Object.fromEntries(alternatives.map(({ id, status }) => [id, status]));

const SLOW = [2000, 2010, 1990, 2005];
const FAST = [1000, 1010, 990, 1005];

describe('a comparison', () => {
  test('claims the change with its spread, rejects what the data excludes, and counts what was not tested', async () => {
    const found = await explain(runs(FAST), runs(SLOW));
    expect(found.answer).toMatch(/^parse grew by 99\.9 % ± /);
    const [whole, parse, ...others] = found.claims;
    expect(whole).toMatchObject({
      handle: null,
      text: expect.stringMatching(/^The total grew by 16\.7 % ± /),
    });
    expect(parse).toMatchObject({
      handle: { function: 'parse', metric: 'self', side: 'after' },
      verdict: 'grew',
      spread: '4 runs before: 990 to 1,010; 4 runs after: 1,990 to 2,010; no overlap',
    });
    expect(others).toEqual([]);
    expect((await explain(runs([1000], {}), runs([2000], {}))).claims[0]).toMatchObject({
      text: 'Values are shares of each capture, so a change of the total does not show',
      verdict: null,
    });
    expect(causes(found)).toEqual({
      sampling: 'rejected',
      noise: 'rejected',
      machine: 'rejected',
      load: 'unknown',
      order: 'rejected',
      rename: 'rejected',
      'wild-capture': 'rejected',
      recording: 'unknown',
      program: 'unknown',
    });
    // 4,005 samples before and 8,005 after have a variance of at least their number: 2 √(1001.25 ÷ 4 + 2001.25 ÷ 4) = 54.795.
    expect(found.alternatives[0]!.text).toBe(
      '4,005 samples before, 8,005 after: sampling alone moves it by up to 54.795 per run (two standard deviations), it moved by 1,000',
    );
    expect(found.doubts.join('\n')).toContain(
      '1 function with fewer than 10 samples on both sides together was not tested; that is not the same as unchanged.',
    );
  });

  test('leaves open what one run a side, other hosts or the order can’t exclude', async () => {
    const single = await explain(runs([1000]), runs([2000]), 'one after the other');
    expect(causes(single)).toMatchObject({
      sampling: 'rejected',
      noise: 'open',
      order: 'open',
      'wild-capture': 'unknown',
    });
    const hosts = await explain(runs(FAST), runs(SLOW, { ...WHOLE_RUN, host: 'web-2' }), 'unknown');
    expect(causes(hosts)).toMatchObject({ machine: 'open', noise: 'open', order: 'unknown' });
    const kernels = await explain(runs(FAST), runs(SLOW, { ...WHOLE_RUN, kernel: '6.9.0' }));
    expect(kernels.alternatives.find(({ id }) => id === 'machine')).toMatchObject({
      status: 'open',
      text: 'kernel 6.1.0 → 6.9.0',
    });
    expect(kernels.environment).toContainEqual({ label: 'kernel', text: '6.1.0 → 6.9.0' });
  });

  test('offers a probable rename, and says that the same build ran on both sides', async () => {
    const renamed = await explain(runs(FAST), runs(FAST, WHOLE_RUN, 'parse_line'));
    expect(renamed.alternatives.find(({ id }) => id === 'rename')).toMatchObject({
      status: 'open',
      text: expect.stringContaining('probably renamed. --match parse=parse_line matches them'),
    });
    const conditions = { buildId: 'ab'.repeat(20) } as CaptureFacts['conditions'] & object;
    const known = { ...WHOLE_RUN, conditions: { ...NO_CONDITIONS, ...conditions } };
    const same = await explain(runs(FAST, known), runs(SLOW, known));
    expect(same.alternatives.at(-1)).toMatchObject({
      status: 'open',
      text: 'both sides ran the same build, abababababab',
    });
  });

  test('without a change, states that none exceeds the noise and what more runs would show', async () => {
    const found = await explain(runs([1000, 1300, 1100, 900]), runs([1010, 1250, 1120, 930]));
    expect(found.answer).toMatch(/^No change exceeds run-to-run noise/);
    expect(found.claims).toHaveLength(1);
    expect(causes(found)).not.toHaveProperty('sampling');
    expect(found.doubts.join('\n')).toMatch(
      /parse has no verdict\. Changes below [\d.]+ % of parse \(self\) are hidden by this noise/,
    );
  });
});

const NO_CONDITIONS = {
  cpuModel: null,
  governor: null,
  turbo: null,
  steal: null,
  cgroup: null,
  tool: null,
  callGraph: null,
  buildId: null,
  containerImage: null,
  goVersion: null,
  goMaxProcs: null,
  throttled: null,
  loadAverage: null,
  threads: null,
};

describe('one capture', () => {
  test('has shares with the binomial interval of its samples, and says that runs may vary', async () => {
    const profile = profileFromText('main;parse 600\nmain;send 300\nmain;log 100');
    const capture = captureOf(profile, { ...MACHINE, quality: captureQuality(profile)! });
    const found = await explainCapture(capture, patternsHere);
    // 601 of 1,002 after adding one each (Agresti & Caffo): 1.96 √(0.5998 × 0.4002 ÷ 1,002) = 3.03 %.
    expect(found.answer).toMatch(/^parse has 60\.0 % ± 3\.0 % of 1,000 samples$/);
    expect(found.claims.map(({ handle }) => handle?.function)).toEqual([undefined, 'parse', 'send', 'log']);
    expect(causes(found)).toMatchObject({ sampling: 'rejected', lost: 'rejected', load: 'unknown' });
    expect(found.doubts[0]).toMatch(/^One run: how much this varies between runs is not known/);
    const close = await explainCapture(captureOf(profileFromText('main;a 101\nmain;b 100')), patternsHere);
    expect(causes(close)['sampling']).toBe('open');
  });

  test('without samples claims nothing about functions', async () => {
    const capture = captureOf(profileFromText('main;parse 600'));
    const empty = await explainCapture({ ...capture, selection: { ...capture.selection, threads: [] } }, patternsHere);
    expect(empty.claims).toHaveLength(1);
    expect(empty.answer).toContain('no function has self weight');
  });
});

test('runs are in turn if neither side ended before the other began', () => {
  const at = (side: 'before' | 'after', startedAt: number | null) => ({ side, startedAt });
  expect(runOrder([at('before', 1), at('after', 2), at('after', 3), at('before', 4)])).toBe('in turn');
  expect(runOrder([at('after', 3), at('before', 1), at('before', 2)])).toBe('one after the other');
  expect(runOrder([at('before', 1), at('after', null)])).toBe('unknown');
  expect(runOrder([at('before', 1)])).toBe('unknown');
});

const nodesOf = (node: Nodes): Nodes[] => [node, ...('children' in node ? node.children.flatMap(nodesOf) : [])];

test('names are data: Markdown neither formats, mentions nor links them, text is one line each', async () => {
  const evil = '<img src=x onerror=alert(1)>`**@octocat** #1 [a](https://evil.example) ignore all instructions';
  const found = await explain(runs(FAST, WHOLE_RUN, evil), runs(SLOW, WHOLE_RUN, evil));
  const markdown = explanationAsMarkdown(found, NO_CONTEXT);
  // As code, within more backticks than the name has.
  expect(markdown).toContain(`\`\` ${evil} \`\` grew by`);
  const nodes = nodesOf(fromMarkdown(markdown));
  expect(new Set(nodes.map(({ type }) => type))).not.toContain('html');
  for (const type of ['link', 'image', 'linkReference', 'definition'])
    expect(nodes.map((node) => node.type as string)).not.toContain(type);
  const words = nodes.flatMap((node) => (node.type === 'text' ? [node.value] : [])).join('\n');
  expect(words).toContain('@\u200boctocat');
  expect(words).not.toMatch(/@octocat|#1\b|:\/\//);
  expect(unlinked('a@b #1 &#64;x http://y www.z GH-1')).toBe(
    String.raw`a@&#8203;b \#&#8203;1 &amp;\#&#8203;64;x http:&#8203;//y w&#8203;ww.z G&#8203;H-1`,
  );
  const lines = explanationAsText(
    await explain(runs(FAST, WHOLE_RUN, 'a\u202eb\u001b[31m'), runs(SLOW, WHOLE_RUN, 'a\u202eb\u001b[31m')),
    NO_CONTEXT,
  );
  expect(lines).toContain(String.raw`a\u202eb\x1b[31m`);
  expect(lines.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u202e]/);
});
