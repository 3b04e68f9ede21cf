import { functionRef } from '../analyze/function-ref.ts';
import { shortenMiddle } from '../analyze/function-label.ts';
import type { PatternRunner } from '../analyze/transforms/resolve-transforms.ts';
import { compareFunctions } from '../compare/compare-functions.ts';
import type { Comparison } from '../compare/comparison.ts';
import { COLUMN, type ComparedCapture } from '../compare/measure/measure-capture.ts';
import { estimateRow } from '../compare/measure/measures.ts';
import { studentQuantile } from '../compare/statistics/student.ts';
import { isBeyond, shareOf, type CaptureQuality } from '../model/quality-grade.ts';
import { qualitySentence } from '../model/quality-sentence.ts';
import { countText, createFormatter } from '../units/format.ts';
import { environmentLine } from './explain-comparison.ts';
import {
  notKnown,
  open,
  rejected,
  type Alternative,
  type Claim,
  type Explanation,
  type Finding,
} from './explanation.ts';

const MOST_CLAIMS = 3;
const LONGEST_NAME = 100;
const LEVEL = 0.95;
/** Part of its periods that a throttled group waited, and of the CPU that was stolen, that is worth a doubt. */
const WORTH_MENTION = 0.01;

const english = createFormatter('en');

interface ShareOfCapture {
  readonly name: string;
  readonly module: string;
  readonly share: number;
  /** Share with what it calls. */
  readonly totalShare: number;
  /** Half of its 95 % interval within this run; null if its sampling error is unknown. */
  readonly reach: number | null;
  readonly weight: number;
}

/**
 * Explains one capture: where the weight is, how certain the shares are within this run, and what one run can't show.
 * Shares have the sampling variance that a comparison by share gives them.
 */
export async function explainCapture(capture: ComparedCapture, patterns: PatternRunner): Promise<Explanation> {
  const comparison = await compareFunctions([capture], [capture], { normalisation: 'share', patterns });
  const [measured] = comparison.before.captures;
  const { valueType, whole, view, facts } = measured!;
  const total = whole[COLUMN.weight]!;
  const shares = heaviest(comparison, total);
  const quality = facts.quality ?? null;
  const { sentence, remedy } = qualitySentence(quality, view.sampleCount);
  const samples = countText(view.sampleCount, 'sample');
  // Counts of samples need not say how many samples they are from.
  const size =
    valueType.type === 'samples'
      ? samples
      : `${english.value(total, valueType.unit)} of ${valueType.type} in ${samples}`;
  const [first] = shares;
  return {
    answer:
      first === undefined
        ? `${facts.name}: ${size}, and no function has self weight`
        : `${shortenMiddle(first.name, LONGEST_NAME)} has ${shareText(first)} of ${size}`,
    claims: [
      { handle: null, text: `${facts.name}: ${size}`, spread: null, verdict: null },
      ...shares.slice(0, MOST_CLAIMS).map((one): Claim => ({
        handle: { function: one.name, module: one.module, metric: 'self', side: null },
        text: `itself has ${shareText(one)} (${english.value(one.weight, valueType.unit)} self), with its callees ${english.share(one.totalShare, 1)}`,
        spread:
          one.reach === null ? 'Its sampling error is unknown' : `${100 * LEVEL} % interval, within this run only`,
        verdict: null,
      })),
    ],
    basis: [`values: ${valueType.type} (${valueType.unit})`, sentence],
    environment: comparison.circumstances.map(environmentLine),
    alternatives: [
      { id: 'sampling', label: 'sampling', ...orderOfFirst(shares) },
      ...recordingCauses(quality),
      { id: 'load', label: 'load of the machine', ...machineCause(comparison) },
    ],
    doubts: [
      'One run: how much this varies between runs is not known; record --repeat 3 shows it.',
      ...(remedy === null ? [] : [remedy]),
    ],
  };
}

const shareText = ({ share, reach }: ShareOfCapture): string =>
  `${english.share(share, 1)}${reach === null ? '' : ` ± ${english.share(reach, 1)}`}`;

/** Returns the functions with the most self weight, and one more, to which the first are compared. */
function heaviest(comparison: Comparison, total: number): ShareOfCapture[] {
  const { design, metrics, matched } = comparison;
  return [...comparison.self.entries()]
    .filter(([, { before }]) => before > 0)
    .sort(([, a], [, b]) => b.before - a.before)
    .slice(0, MOST_CLAIMS + 1)
    .map(([func, { before: share }]) => {
      const { withinRun } = estimateRow(design, metrics.self.before, metrics.self.after, func).before;
      const { variance, freedom } = withinRun;
      const isKnown = Number.isFinite(variance) && freedom > 0;
      const { name, module } = functionRef(matched.table, func);
      const reach = isKnown ? studentQuantile(1 - LEVEL, freedom) * Math.sqrt(variance) : null;
      return { name, module, share, totalShare: comparison.total[func]!.before, reach, weight: share * total };
    });
}

/** Tells whether the heaviest function is the heaviest within the sampling error. */
function orderOfFirst([first, second]: readonly ShareOfCapture[]): Finding {
  if (first === undefined) return notKnown('no function has self weight');
  if (second === undefined) return rejected('no other function has self weight');
  if (first.reach === null || second.reach === null) return notKnown('the sampling error of these values is not known');
  const isApart = first.share - first.reach > second.share + second.reach;
  const next = `next, ${shortenMiddle(second.name, LONGEST_NAME)}, has ${shareText(second)}`;
  return isApart
    ? rejected(`the intervals of the heaviest and the next do not overlap; the ${next}`)
    : open(`the order of the first two may be chance; the ${next}`);
}

const FAULTS = [
  ['lost', 'lost samples', 'of the samples are missing'],
  ['unresolved', 'missing symbols', 'of the weight is in functions without a name'],
  ['unrooted', 'missing callers', 'of the weight has stacks without callers'],
  ['truncated', 'truncated stacks', 'of the weight has stacks cut at the greatest depth'],
] as const;

function recordingCauses(quality: CaptureQuality | null): Alternative[] {
  if (quality === null) return [{ id: 'recording', label: 'recording', ...notKnown('there are no samples') }];
  return FAULTS.map(([share, label, text]) => ({
    id: share,
    label,
    ...(isBeyond(quality, share) ? open : rejected)(`${english.share(shareOf(quality, share), 1)} ${text}`),
  }));
}

function machineCause({ before }: Comparison): Finding {
  const [{ facts }] = before.captures as [Comparison['before']['captures'][number]];
  const { steal = null, throttled = null, loadAverage = null } = facts.conditions ?? {};
  const parts = [
    ...(loadAverage === null
      ? []
      : [
          `load average ${loadAverage.toFixed(2)}${facts.cpuCount === null ? '' : ` on ${countText(facts.cpuCount, 'CPU')}`}`,
        ]),
    ...(steal === null ? [] : [`${english.share(steal, 1)} steal`]),
    ...(throttled === null ? [] : [`${english.share(throttled, 1)} throttled`]),
  ];
  if (parts.length === 0) return notKnown('nothing about it was recorded');
  const isBusy =
    Math.max(steal ?? 0, throttled ?? 0) > WORTH_MENTION ||
    (loadAverage !== null && facts.cpuCount !== null && loadAverage > facts.cpuCount);
  return (isBusy ? open : rejected)(parts.join(', '));
}
