import { falseAlarmText } from '#core/compare/describe-self-test.ts';
import { code, unlinked } from '#core/export/markdown-text.ts';
import { escapeText } from '#core/export/markup.ts';
import { explanationAsJson, explanationAsMarkdown } from '#core/explain/print.ts';
import { countText, createFormatter } from '#core/units/format.ts';
import { VERSION } from '#app/version.ts';
import { conditionLines } from '../diff/fail-lines.ts';
import { placeLink } from './blob-link.ts';
import { stateText } from './gate-state.ts';
import { decisionOf, type BenchmarkOutcome, type GateOutcome } from './outcome.ts';
import { changeOf, type ChangedLines } from './repository.ts';

const english = createFormatter('en');

/** Returns the comment's first sentence: `failed: 1 of 2 benchmarks: parse`. */
export function headline(outcome: GateOutcome): string {
  const decision = decisionOf(outcome);
  const { benchmarks } = outcome;
  const named = benchmarks.filter((one) => one.decision === decision).map(({ name }) => name);
  if (decision === 'passed') return `passed: ${countText(benchmarks.length, 'benchmark')}`;
  return `${decision}: ${named.length} of ${countText(benchmarks.length, 'benchmark')}: ${named.join(', ')}`;
}

/** A function that a condition found beyond its limit, with what is known of it. */
interface Found {
  readonly benchmark: string;
  readonly condition: string;
  readonly function: string;
  readonly place: ChangedLines | null;
  readonly owner: string | null;
}

const foundBy = ({ name, conditions }: BenchmarkOutcome, { changed, owners }: GateOutcome): Found[] =>
  conditions.flatMap(({ condition, beyond }) =>
    beyond.map((one) => ({
      benchmark: name,
      condition: condition.text,
      function: one.name,
      place: changeOf(one.name, changed),
      owner: owners.get(one.name) ?? null,
    })),
  );

/** Returns what the gate could have seen, a sentence each. */
export function abilityLines({ selfTest, smallest, pairs, looked }: BenchmarkOutcome): string[] {
  return [
    `${countText(pairs, 'run')} a side, recorded in the order A B B A; ${countText(looked, 'look')}`,
    ...(selfTest === null ? [] : [`these runs split into A and A: ${falseAlarmText(selfTest, english)}`]),
    ...(smallest.length === 0
      ? ['the smallest change that these runs would have shown is not known']
      : smallest.map(
          (one) =>
            `changes below ${english.share(one.change, 1)} of ${one.function} (self) could not have been seen (80 % power)`,
        )),
  ];
}

/** Returns the outcome as text for a terminal. */
export function gateAsText(outcome: GateOutcome): string {
  const { benchmarks, notes, runs } = outcome;
  const state = stateText(runs);
  const lines = [
    headline(outcome),
    ...benchmarks.flatMap((one) => [
      '',
      `${one.name}: ${one.decision}: ${one.explanation.answer}`,
      ...one.conditions.flatMap((condition) => conditionLines(condition).map((line) => `  ${line}`)),
      ...foundBy(one, outcome).flatMap(({ function: name, place, owner }) => [
        ...(place === null ? [] : [`  ${name}: changed in ${place.file}:${place.line}`]),
        ...(owner === null ? [] : [`  ${name}: owner ${owner}`]),
      ]),
      ...abilityLines(one).map((line) => `  ${line}`),
      `  experiment ${one.experimentId}`,
    ]),
    ...(notes.length + (state === null ? 0 : 1) === 0 ? [] : ['']),
    ...notes,
    ...(state === null ? [] : [`${state}.`]),
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * Returns the outcome as a comment for a pull request. All names and messages come from programs and files: they are code
 * or escaped, so that they neither format nor mention nor link anything.
 */
export function gateAsMarkdown(outcome: GateOutcome): string {
  const { benchmarks, commits, notes, runs } = outcome;
  const state = stateText(runs);
  const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');
  const parts = [
    `## Flamebench ${unlinked(headline(outcome))}`,
    ...(commits === null ? [] : [`Base ${code(commits.base.short)}, head ${code(commits.head.short)}.`]),
    ...benchmarks.flatMap((one) => [
      `### ${unlinked(one.name)}: ${one.decision}`,
      list([
        ...one.conditions.flatMap((condition) => conditionLines(condition).map(unlinked)),
        ...foundBy(one, outcome).flatMap(({ function: name, place, owner }) => [
          ...(place === null ? [] : [`${code(name)} changed in ${placeLink(place, outcome.files)}`]),
          ...(owner === null ? [] : [`${code(name)}: owner ${code(owner)}`]),
        ]),
        ...abilityLines(one).map(unlinked),
      ]),
      explanationAsMarkdown(one.explanation, one.context, 4),
    ]),
    ...(notes.length === 0 && state === null
      ? []
      : [list([...notes, ...(state === null ? [] : [state])].map(unlinked))]),
  ];
  return shortened(parts.map((part) => part.trim()).join('\n\n'));
}

/** GitHub refuses comments of more than 65,536 characters. */
const MOST_COMMENT = 60_000;

function shortened(text: string): string {
  if (text.length <= MOST_COMMENT) return `${text}\n`;
  const cut = text.slice(0, text.lastIndexOf('\n\n', MOST_COMMENT));
  // A fence that was open would swallow what follows.
  const isOpen = (cut.match(/^`{3,}/gm)?.length ?? 0) % 2 === 1;
  return `${cut}${isOpen ? '\n```' : ''}\n\nThe rest is left out; the JSON and the report have it.\n`;
}

/** Returns JUnit's XML: a suite for each benchmark, a case for each condition; an inconclusive one is skipped. */
export function gateAsJunit(outcome: GateOutcome): string {
  const suites = outcome.benchmarks.map((one) => {
    const cases = one.conditions.map((result) => {
      const message = escapeText(conditionLines(result).join('\n'));
      const isFailed = one.decision === 'failed' && result.beyond.length > 0;
      const inner = isFailed
        ? `<failure message="${escapeText(one.explanation.answer)}">${message}</failure>`
        : one.decision === 'inconclusive' && result.status !== 'passed'
          ? `<skipped message="inconclusive">${message}</skipped>`
          : `<system-out>${message}</system-out>`;
      return { isFailed, isSkipped: inner.startsWith('<skipped'), name: result.condition.text, inner };
    });
    const count = (is: (one: (typeof cases)[number]) => boolean): number => cases.filter(is).length;
    return [
      `  <testsuite name="${escapeText(one.name)}" tests="${cases.length}" failures="${count(({ isFailed }) => isFailed)}" skipped="${count(({ isSkipped }) => isSkipped)}" errors="0">`,
      ...cases.map(
        ({ name, inner }) =>
          `    <testcase classname="${escapeText(one.name)}" name="${escapeText(name)}">${inner}</testcase>`,
      ),
      '  </testsuite>',
    ].join('\n');
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="flamebench">\n${suites.join('\n')}\n</testsuites>\n`;
}

/** Returns SARIF 2.1.0: a result for each function beyond a limit, at the changed lines that name it if there are any. */
export function gateAsSarif(outcome: GateOutcome): string {
  const results = outcome.benchmarks
    .filter(({ decision }) => decision === 'failed')
    .flatMap((one) =>
      foundBy(one, outcome).map(({ benchmark, condition, function: name, place }) => ({
        ruleId: 'regression',
        level: 'error',
        message: { text: `${benchmark}: ${name} is beyond ${condition}: ${one.explanation.answer}` },
        locations:
          place === null
            ? []
            : [
                {
                  physicalLocation: {
                    artifactLocation: { uri: place.file.split('/').map(encodeURIComponent).join('/') },
                    region: { startLine: place.line },
                  },
                },
              ],
      })),
    );
  const rule = { id: 'regression', shortDescription: { text: 'A function became slower than its limit allows.' } };
  const driver = { name: 'Flamebench', version: VERSION, rules: [rule] };
  const $schema = 'https://json.schemastore.org/sarif-2.1.0.json';
  return `${JSON.stringify({ $schema, version: '2.1.0', runs: [{ tool: { driver }, results }] }, null, 2)}\n`;
}

/** Returns the documented JSON; see docs/cli.md. */
export const gateAsJson = (outcome: GateOutcome): object => ({
  decision: decisionOf(outcome),
  isSelfTest: outcome.isSelfTest,
  base: outcome.commits?.base.hash ?? null,
  head: outcome.commits?.head.hash ?? null,
  benchmarks: outcome.benchmarks.map((one) => ({
    name: one.name,
    decision: one.decision,
    pairs: one.pairs,
    looks: one.looked,
    experiment: one.experimentId,
    found: foundBy(one, outcome).map(({ function: name, condition, place, owner }) => ({
      function: name,
      condition,
      place: place === null ? null : { file: place.file, line: place.line },
      owner,
    })),
    conditions: one.conditions.map((result) => ({
      condition: result.condition.text,
      status: result.status,
      lines: conditionLines(result),
    })),
    selfTest: one.selfTest === null ? null : { splits: one.selfTest.partitions, falseAlarms: one.selfTest.falseAlarms },
    smallest: one.smallest,
    explanation: explanationAsJson(one.explanation, one.context),
  })),
  notes: outcome.notes,
});
