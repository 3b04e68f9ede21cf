import type { ReactElement } from 'react';
import { shortenMiddle, visibleText } from '#core/analyze/function-label.ts';
import { VERDICT_WORDS } from '#core/compare/verdict-words.ts';
import { JUDGED_KINDS } from '#core/live/baseline/baseline.ts';
import type { LiveControl } from '../../state/live/control.ts';
import type { PinnedRows } from '../../analysis/profile/pinned-protocol.ts';
import { useViewState } from '../../state/profile/context.ts';
import { useStore } from '../../state/store.ts';
import { useWorkbench } from '../../state/workbench-context.ts';
import { Segments } from '../../ui/fields/segments.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { Facts } from '../../ui/fitted-text.tsx';
import { count, countOf } from '../../ui/format.ts';

/** Number of captures offered for pinning, newest first. */
const MAX_CAPTURES = 30;
const NAME_CHARACTERS = 40;
const NONE = 'none';
const NOW = 'now';
const PINNED = 'pinned';

/** Chooses what a live session is compared with, and how. */
export function BaselineField({ live }: { live: LiveControl }): ReactElement {
  const workbench = useWorkbench();
  const baseline = useStore(live.store, ({ status }) => status?.baseline ?? null);
  const captures = useStore(workbench.store, (state) => state.captures);
  const pinned = useViewState(({ analysis }) => analysis?.pinned ?? null);
  const choose = (value: string): void => {
    if (value === PINNED) return;
    const done = value === NONE ? live.unpin() : live.pin(value === NOW ? null : value);
    done.catch(workbench.report);
  };
  const short = (name: string): string => visibleText(shortenMiddle(name, NAME_CHARACTERS));
  return (
    <>
      <Select
        name="Baseline"
        value={baseline === null ? NONE : PINNED}
        options={[
          { value: NONE, label: 'No baseline' },
          { value: NOW, label: baseline === null ? 'Pin this moment' : 'Pin this moment instead' },
          ...(baseline === null ? [] : [{ value: PINNED, label: `Δ to ${short(baseline.name)}` }]),
          ...(captures ?? [])
            .filter(({ state }) => state === 'finished')
            .slice(0, MAX_CAPTURES)
            .map(({ id, name }) => ({ value: id, label: short(name) })),
        ]}
        onChange={choose}
      />
      {pinned !== null && (
        <Segments
          label="Normalisation"
          value={pinned.kind}
          options={JUDGED_KINDS.map((kind) => ({ value: kind, label: KINDS[kind] }))}
          onChange={live.setNormalisation}
        />
      )}
    </>
  );
}

/** How many functions have changed since the pin, need more samples to tell, or are the same; and what stands for it. */
export function BaselineText({ live }: { live: LiveControl }): ReactElement | null {
  const isJudged = useStore(live.store, ({ status }) => status?.baseline?.isJudged);
  const pinned = useViewState(({ analysis }) => analysis?.pinned ?? null);
  if (pinned === null) return null;
  return (
    <span className="live-baseline mono" title={[pinned.formula, ...pinned.warnings, COLOURED].join('\n')}>
      <Facts
        facts={
          isJudged === false
            ? ['baseline too short to find changes']
            : pinned.isDecided
              ? changedTexts(pinned)
              : [VERDICT_WORDS['not-decided']]
        }
      />
    </span>
  );
}

function changedTexts({ total: { change, missing }, size }: PinnedRows): string[] {
  const of = (...codes: number[]): number => change.filter((code) => codes.includes(code)).length;
  const [changed, open, same] = [of(1, -1), of(3), of(2)];
  const next = missing.reduce((least, samples) => (samples < least ? samples : least), Infinity);
  const more =
    next === Infinity ? (open > 0 ? ' (a longer baseline decides more)' : '') : `, the next about ${count(next)} more`;
  return [
    changed === 0 && open > 0
      ? VERDICT_WORDS['needs-samples']
      : `▲▼ ${countOf(changed, 'function')} changed${sizeText(size)}`,
    ...(open > 0 ? [`⋯ ${count(open)} need more samples${more}`] : []),
    `= ${count(same)} ${VERDICT_WORDS.same}`,
  ];
}

/** Names the size of the window, which load and machine change, to which changes are relative. */
const sizeText = (size: number | null): string =>
  size === null ? '' : ` relative to the typical function, ×${size.toFixed(2)}`;

const COLOURED = `Full colour (▲ ▼): has changed since the pin; at most 5 % of sessions colour anything that has not. Pale (⋯): ${VERDICT_WORDS['needs-samples']}, with the change so far. Grey (=): the ${VERDICT_WORDS.same} of the whole. Grey without a sign: not judged, less than 1 %`;
const KINDS = { 'per-second': 'per second', share: 'share' } as const;
