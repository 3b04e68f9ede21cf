import { describeChange, marginOf, type ChangeFormat } from '../compare/describe-change.ts';
import { judgementText, maybeReason, runCounts } from '../compare/verdict-words.ts';
import type { ComparedMetric, ComparedStep } from './compare-sweeps.ts';
import type { LoadText } from './load-text.ts';
import type { AnyMetric } from './sweep.ts';

/** Returns `1,020 → 1,240`. */
export const sidesText = (
  { metric, judgement }: Pick<ComparedMetric, 'metric' | 'judgement'>,
  text: LoadText,
): string => `${text.value(metric, judgement.before)} → ${text.value(metric, judgement.after)}`;

/** Returns `+21.6 % ± 3.0 %: ▲ grew`; absolute if the value before was 0. */
export function partText(
  { design }: Pick<ComparedStep, 'design'>,
  { metric, judgement }: Pick<ComparedMetric, 'metric' | 'judgement'>,
  text: LoadText,
): string {
  const { before, delta, relative, interval } = judgement;
  const reach = interval === null ? null : marginOf(interval);
  const [change, around] =
    relative === null
      ? [text.delta(metric, delta), reach === null ? null : text.delta(metric, reach)]
      : [text.relative(relative), reach === null ? null : text.relative(reach / before)];
  const verdict = judgementText(judgement, maybeReason(design, runCounts(design)));
  return `${change}${around === null ? '' : ` ± ${around.replace('+', '')}`}: ${verdict}`;
}

/** Returns `QPS grew by 12.0 % ± 3.1 % (1,020 → 1,142)` or `p99 shows no clear change (+3.0 % ± 9.1 %; 12 ms → 12.4 ms)`. */
export function headlineText(
  name: string,
  { design }: Pick<ComparedStep, 'design'>,
  one: Pick<ComparedMetric, 'metric' | 'judgement'>,
  text: LoadText,
): string {
  const reason = maybeReason(design, runCounts(design));
  const { headline } = describeChange(one.judgement, 'total', formatOf(one.metric, text), reason);
  const sides = sidesText(one, text);
  return `${name} ${headline.endsWith(')') ? headline.replace(/\)$/, `; ${sides})`) : `${headline} (${sides})`}`;
}

const formatOf = (metric: AnyMetric, text: LoadText): ChangeFormat => ({
  per: '',
  relativeTo: '',
  value: (value) => text.value(metric, value),
  delta: (delta) => text.delta(metric, delta),
  reach: (reach) => text.delta(metric, reach).replace('+', ''),
  relative: text.relative,
});
