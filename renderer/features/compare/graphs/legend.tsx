import type { ReactElement } from 'react';
import { VERDICT_WORDS } from '#core/compare/verdict-words.ts';
import type { Theme } from '../../../ui/flame/graph.types.ts';
import { format } from '../../../ui/format.ts';
import { groupColour, SIZE_STEPS } from '#core/compare/delta-colour.ts';
import { SIGNS, type LitFrames } from '../../../ui/flame/chart/delta-style.ts';
import type { DeltaGroup } from '#core/compare/frame-delta.ts';

interface DeltaLegendProps {
  readonly theme: Theme;
  /** Why verdicts are at most *maybe*; null if they are grew and shrank. */
  readonly reason: string | null;
  /** Number of paths not tested because the limit was reached. */
  readonly untested: number;
  readonly lit: LitFrames | null;
  readonly onLight: (lit: LitFrames | null) => void;
}

const WORDS: Readonly<Record<LitFrames, string>> = {
  grew: VERDICT_WORDS.grew,
  shrank: VERDICT_WORDS.shrank,
  'may-have-grown': 'may have grown',
  'may-have-shrunk': 'may have shrunk',
  grey: `${VERDICT_WORDS.noise}, ${VERDICT_WORDS['not-tested']} or ${VERDICT_WORDS.unknown}`,
  'only-before': 'only before',
  'only-after': 'only after',
};

/** The legend of the delta graphs' colours and signs. Selecting an entry dims all others. */
export function DeltaLegend(props: DeltaLegendProps): ReactElement {
  const { theme, reason, untested, lit, onLight } = props;
  const changes: readonly DeltaGroup[] = reason === null ? ['shrank', 'grew'] : ['may-have-shrunk', 'may-have-grown'];
  const entries: readonly LitFrames[] = [...changes, 'grey', 'only-before', 'only-after'];
  return (
    <div className="delta-legend">
      <ul aria-label="Meaning of colours and signs">
        {entries.map((entry) => (
          <li key={entry}>
            <button
              type="button"
              aria-pressed={lit === entry}
              title="Click to dim everything else"
              onClick={() => onLight(lit === entry ? null : entry)}
            >
              <Swatches of={entry} theme={theme} />
              {WORDS[entry]}
            </button>
          </li>
        ))}
      </ul>
      <span className="scale">
        {reason === null ? '' : `${VERDICT_WORDS.suggestive}: ${reason} · `}
        {`stronger from ${SIZE_STEPS.slice(1)
          .map((least) => format.share(least, 1))
          .join(', ')} of change`}
        {untested === 0 ? '' : ` · ${format.number(untested)} lighter paths not tested`}
      </span>
    </div>
  );
}

/** The colours of a group, strongest last; frames that one side lacks have an outline. */
function Swatches({ of, theme }: { of: LitFrames; theme: Theme }): ReactElement {
  if (of === 'only-before' || of === 'only-after') return <span className="one-sided" />;
  const steps = of === 'grey' ? [0] : [...SIZE_STEPS.keys()];
  return (
    <>
      {SIGNS[of] === '' ? null : <span className="sign">{SIGNS[of]}</span>}
      <svg className="swatches" width={steps.length * 10} height="10" aria-hidden="true">
        {steps.map((step) => (
          <rect key={step} x={step * 10} width="10" height="10" fill={groupColour(of, step, theme)} />
        ))}
      </svg>
    </>
  );
}
