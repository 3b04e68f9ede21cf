import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, test } from 'vitest';
import { patternsHere } from '#core/analyze/transforms/resolve-transforms.ts';
import { explainComparison } from '#core/explain/explain-comparison.ts';
import { filesOfCommit } from '#app/cli/ci/blob-link.ts';
import type { BenchmarkOutcome, GateOutcome } from '#app/cli/ci/outcome.ts';
import { gateAsJunit, gateAsMarkdown, gateAsSarif, gateAsText } from '#app/cli/ci/print.ts';
import { parseFailCondition } from '#app/cli/diff/fail-condition.ts';
import { judgeConditions } from '#app/cli/diff/fail-evidence.ts';
import { captureOf, compareRaw } from '../../../core/compare/captures.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';

/** Every part that a pull request can choose. */
const EVIL =
  'parse </failure><script>alert(1)</script> @octocat #1 [x](https://evil.example) ``` | ignore all instructions';

async function outcomeOf(decision: BenchmarkOutcome['decision']): Promise<GateOutcome> {
  const side = (samples: number) =>
    [0, 3, -3, 1].map((more) =>
      captureOf(profileFromText(`main;${EVIL} ${samples + more}\nmain;send ${5000 + more}`), {
        name: EVIL,
        isWholeRun: true,
        requests: 1,
        durationSeconds: 1,
      }),
    );
  const comparison = await compareRaw(side(1000), side(2000), null);
  const conditions = await judgeConditions([parseFailCondition('self(.*) > +0%')], comparison, {
    allowSingle: false,
    patterns: patternsHere,
    shares: () => Promise.resolve(comparison),
  });
  const benchmark: BenchmarkOutcome = {
    name: EVIL,
    decision,
    pairs: 4,
    looked: 1,
    experimentId: 'experiment-1',
    comparison,
    conditions,
    explanation: explainComparison(comparison, 'in turn'),
    context: {
      commands: [['./bench', EVIL]],
      evidenceOf: ({ function: name }) => ({ shown: ['flamebench', 'peek', 'x', name], opened: ['flamebench', name] }),
      open: [],
    },
    selfTest: null,
    smallest: [{ function: EVIL, change: 0.05 }],
  };
  return {
    benchmarks: [benchmark],
    commits: null,
    changed: [{ file: `src/${EVIL}.c`, line: 7, text: 'int parse(void)' }],
    files: null,
    isSelfTest: false,
    owners: new Map([[EVIL, EVIL]]),
    runs: [],
    notes: [EVIL],
  };
}

const nodesOf = (node: Nodes): Nodes[] => [node, ...('children' in node ? node.children.flatMap(nodesOf) : [])];

test('a comment contains names as code or escaped: no markup, mention, link or issue of theirs', async () => {
  const nodes = nodesOf(fromMarkdown(gateAsMarkdown(await outcomeOf('failed'))));
  const types = new Set(nodes.map(({ type }) => type));
  for (const type of ['html', 'link', 'image', 'linkReference', 'definition', 'table'] as const)
    expect(types).not.toContain(type);
  const words = nodes.flatMap((node) => (node.type === 'text' ? [node.value] : [])).join('\n');
  expect(words).toContain('@\u200boctocat');
  expect(words).not.toMatch(/@octocat|#1\b|:\/\//);
});

test('a changed line is a link where the runner says whose repository it is, whatever the file is called', async () => {
  const outcome = await outcomeOf('failed');
  const files = filesOfCommit({ GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'o/r' }, 'c0ffee');
  const nodes = nodesOf(fromMarkdown(gateAsMarkdown({ ...outcome, files })));
  const links = nodes.flatMap((node) => (node.type === 'link' ? [node.url] : []));
  expect(links).toEqual([
    `https://github.com/o/r/blob/c0ffee/src/${EVIL.split('/').map(encodeURIComponent).join('/').replaceAll('(', '%28').replaceAll(')', '%29')}.c#L7`,
  ]);
  expect(filesOfCommit({ CI_PROJECT_URL: 'https://gitlab.com/g/p' }, 'c0ffee')).toBe(
    'https://gitlab.com/g/p/-/blob/c0ffee',
  );
  expect(filesOfCommit({ CI_PROJECT_URL: 'javascript:alert(1)' }, 'c0ffee')).toBeNull();
  expect(filesOfCommit({}, 'c0ffee')).toBeNull();
});

test('JUnit counts failures and skipped conditions, and stays XML', async () => {
  const failed = gateAsJunit(await outcomeOf('failed'));
  expect(failed).toContain('tests="1" failures="1" skipped="0"');
  expect(failed.match(/<\/failure>/g)).toHaveLength(1);
  expect(failed).not.toContain('<script');
  expect(gateAsJunit(await outcomeOf('inconclusive'))).toContain('tests="1" failures="0" skipped="1"');
});

test('SARIF has a relative address and only what failed', async () => {
  const results = async (decision: BenchmarkOutcome['decision']) =>
    (
      JSON.parse(gateAsSarif(await outcomeOf(decision))) as {
        runs: { results: { locations: { physicalLocation: { artifactLocation: { uri: string } } }[] }[] }[];
      }
    ).runs[0]!.results;
  expect(await results('passed')).toEqual([]);
  const [first] = await results('failed');
  expect(first!.locations[0]!.physicalLocation.artifactLocation.uri).toMatch(/^src\/parse%20%3C\/failure%3E%3Cscript/);
});

test('states the smallest change, also if nothing failed', async () => {
  const text = gateAsText(await outcomeOf('passed'));
  expect(text).toMatch(/^passed: 1 benchmark\n/);
  expect(text).toContain('changes below 5.0 % of');
  expect(text).toContain('could not have been seen (80 % power)');
});
