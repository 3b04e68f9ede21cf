import { describeTransform } from '#core/analyze/transforms/describe-transform.ts';
import type { Comparison } from '#core/compare/comparison.ts';
import { comparisonNotes } from '#core/compare/describe-comparison.ts';
import type { MatchRules } from '#core/compare/match/match-rules.ts';
import type { Side } from '#core/contract/schemas.ts';
import { formatShare } from '#core/units/format.ts';
import type { DiffSides } from './captures.ts';
import { captureRows } from './report.ts';
import { escapeControls } from '../output/escape-controls.ts';
import { warn } from '../output/terminal.ts';

const SIDES = ['before', 'after'] as const;

/** What the numbers of a comparison are of, in lines: for exports. */
export function diffNotes(comparison: Comparison, rules: MatchRules): string[] {
  const { normalised, design, warnings } = comparison;
  const [{ valueType }] = comparison.before.captures as [Comparison['before']['captures'][number]];
  const side = (name: Side) => ({ captures: captureRows(comparison, name), total: comparison.whole[name] });
  const noted = { ...design, before: side('before'), after: side('after'), valueType, normalised, warnings };
  return comparisonNotes(noted, rules).map(escapeControls);
}

/** Lines on stderr: what each transform hid of either side, and what a range of time left out. */
export function reportHidden({ before, after }: DiffSides, comparison: Comparison): void {
  for (const [place, transform] of (before[0]?.named ?? []).entries()) {
    const hid = SIDES.map((side) => `${hiddenShare(comparison, side, place)} ${side}`).join(', ');
    warn(`${describeTransform(transform)}: ${transform.enabled ? `hid ${hid}` : 'off'}`);
  }
  for (const [side, captures] of [['before', before] as const, ['after', after] as const]) {
    captures.forEach(({ facts, selection: { timeRange } }, place) => {
      const view = comparison[side].captures[place]!.view;
      if (timeRange === null) return;
      const without = view.withoutTime === 0 ? '' : `, ${view.withoutTime} without a timestamp left out`;
      warn(`${side} ${facts.name}: ${view.sampleCount} samples in that range${without}`);
    });
  }
}

function hiddenShare(comparison: Comparison, side: Side, transform: number): string {
  let hidden = 0;
  let whole = 0;
  for (const { view } of comparison[side].captures) {
    hidden += view.hiddenBy[transform] ?? 0;
    whole += view.total + view.hidden;
  }
  return hidden === 0 ? 'nothing' : formatShare(hidden, whole);
}
