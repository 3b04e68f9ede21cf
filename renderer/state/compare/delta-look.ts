import type { ValueText } from '#core/compare/value-text.ts';
import { VERDICT_WORDS } from '#core/compare/verdict-words.ts';
import type { FrameDelta } from '#core/analyze/graph/flame-slice.ts';
import type { DeltaLook, DetailLine, Theme } from '../../ui/flame/flame-graph.types.ts';
import { deltaColour } from './delta-colour.ts';
import { groupOf, presenceOf, verdictOf, type DeltaGroup } from './frame-delta.ts';

/** What a legend's entry lights: frames of a colour, or those that one side lacks. */
export type LitFrames = DeltaGroup | 'only-before' | 'only-after';

/** Filled where it is certain, hollow where it is *maybe*: readable without colour. */
export const SIGNS: Readonly<Record<DeltaGroup, string>> = {
  grew: '▲',
  shrank: '▼',
  'may-have-grown': '△',
  'may-have-shrunk': '▽',
  grey: '',
};

/** How frames of a comparison look. Totals per path; `reason`: why verdicts are *maybe* at most; `lit`: what alone keeps its colour. */
export function deltaLook(theme: Theme, text: ValueText, reason: string | null, lit: LitFrames | null): DeltaLook {
  return {
    colour: (delta) => deltaColour(delta, theme),
    isGrey: (delta) => groupOf(delta) === 'grey',
    isLit: (delta) => lit === null || lit === groupOf(delta) || lit === presenceOf(delta),
    sign: (delta) => (groupOf(delta) === 'grey' ? '' : `${SIGNS[groupOf(delta)]} `),
    tails: (delta) => tailsOf(delta, text),
    lines: (delta) => deltaLines(delta, text, reason),
  };
}

function tailsOf(delta: FrameDelta, text: ValueText): string[] {
  const presence = presenceOf(delta);
  const change = relativeChange(delta.before, delta.after, text);
  if (presence !== 'both') return [` · ${presenceText(presence)}`, ` · ${change}`];
  return groupOf(delta) === 'grey' ? [] : [` ${change}`];
}

export const presenceText = (presence: 'only-before' | 'only-after'): string =>
  presence === 'only-before' ? 'only before' : 'only after';

/** Δ %: `+12.3 %`; `new` from nothing, `gone` to nothing. */
export function relativeChange(before: number, after: number, text: ValueText): string {
  if (before !== 0) return after === 0 ? 'gone' : text.relative((after - before) / before);
  return after === 0 ? text.relative(0) : 'new';
}

/** What both sides have of a frame, as a screen reader tells it. */
function deltaLines(delta: FrameDelta, text: ValueText, reason: string | null): DetailLine[] {
  const { before, after, selfBefore, selfAfter } = delta;
  const both = (from: number, to: number): string =>
    `${text.value(from)} before, ${text.value(to)} after, ${text.delta(to - from)}, ${relativeChange(from, to, text)}`;
  const presence = presenceOf(delta);
  return [
    { label: 'self', text: both(selfBefore, selfAfter) },
    { label: 'total', text: both(before, after) },
    ...(presence === 'both' ? [] : [{ label: presenceText(presence), text: `not in ${otherSide(presence)}` }]),
    { label: 'verdict', text: verdictWords(delta, reason) },
  ];
}

const otherSide = (presence: 'only-before' | 'only-after'): string => (presence === 'only-before' ? 'after' : 'before');

function verdictWords(delta: FrameDelta, reason: string | null): string {
  const verdict = verdictOf(delta);
  if (verdict !== 'suggestive') return VERDICT_WORDS[verdict];
  const words = groupOf(delta) === 'may-have-grown' ? 'may have grown' : 'may have shrunk';
  return reason === null ? words : `${words} (${reason})`;
}
