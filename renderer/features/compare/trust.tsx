import type { JSX, ReactNode } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { unknownCircumstances, type CircumstanceRow } from '#core/compare/circumstances.ts';
import { runsText } from '#core/compare/describe-answer.ts';
import { byLead, methodText } from '#core/compare/describe-comparison.ts';
import { sizeText, SIZE_CODE } from '#core/compare/describe-sizes.ts';
import { isUndecided } from '#core/compare/statistics/judge-by-size.ts';
import { LEAST_REPLICATES } from '#core/compare/measure/measures.ts';
import { VERDICT_WORDS } from '#core/compare/verdict-words.ts';
import { copyText } from '../../ui/copy-text.ts';
import { countOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { PopoverButton } from '../../ui/menu/popover-button.tsx';
import type { Compared } from '../../analysis/comparison/protocol.ts';
import { useCompare } from '../../state/compare/context.ts';
import { useValueText, verdictReason } from '../../state/comparison-texts.ts';
import { Warnings } from './warnings.tsx';
import { Button } from '../../ui/buttons.tsx';

const differing = ({ circumstances }: Compared): readonly CircumstanceRow[] =>
  circumstances.filter(({ status }) => status === 'differs');

/** What the answer rests on, in one chip: runs, circumstances and size factor. It unfolds to method and formula. */
export function TrustChip({ compared }: { readonly compared: Compared }): JSX.Element {
  const { isReplicated, sharesHost, runs, sizes } = compared;
  const warnings = ownWarnings(compared);
  const factor = sizes === null ? null : sizeText({ ...sizes, interval: null });
  const isCertain =
    isReplicated && sharesHost && differing(compared).length === 0 && warnings.length === 0 && !isUndecided(sizes);
  const isLoad = sizes !== null && sizes.status !== 'same';
  const parts = [
    runsText(runs, isReplicated),
    ...(sharesHost ? [] : ['hosts differ']),
    circumstancesText(compared),
    ...(factor === null ? [] : [`factor ${factor}`]),
    ...warningsText(warnings.map(({ message }) => visibleText(message))),
  ];
  return (
    <PopoverButton
      className={isCertain && !isLoad ? 'trust-chip' : 'trust-chip warn'}
      face={
        <>
          <Icon name={isCertain && !isLoad ? 'check' : 'warning'} />
          <span className="ellipsis">{parts.join(' · ')}</span>
        </>
      }
      label="Method"
    >
      {(close) => <Method compared={compared} onDone={close} />}
    </PopoverButton>
  );
}

/** Longest warning, in characters, that the chip quotes. */
const MOST_QUOTED = 60;

/** Returns the only warning if it is short, else the number of warnings. */
const warningsText = (messages: readonly string[]): readonly string[] =>
  messages.length === 0
    ? []
    : [
        messages.length === 1 && messages[0]!.length <= MOST_QUOTED
          ? messages[0]!
          : countOf(messages.length, 'warning'),
      ];

/** Returns the warnings that the head does not show itself. */
const ownWarnings = ({ warnings }: Compared) =>
  byLead(warnings).others.filter(({ code }) => code !== 'within-this-run-only');

/** Longest values, in characters, that the chip has: longer ones would cut off what follows. */
const MOST_VALUES = 24;

/** Returns `same circumstances`, `load average 0.2 → 1.4`, `CPUs used: different`, or `3 circumstances differ`. */
function circumstancesText(compared: Compared): string {
  const rows = differing(compared);
  const [only, ...others] = rows;
  if (only === undefined) {
    const isKnown = compared.circumstances.some(({ status }) => status === 'same');
    return isKnown ? 'same circumstances' : 'circumstances unknown';
  }
  if (others.length > 0) return `${rows.length} circumstances differ`;
  const values = `${only.before ?? ''} → ${only.after ?? ''}`;
  return `${only.label}${values.length > MOST_VALUES ? ': different' : ` ${visibleText(values)}`}`;
}

/** Method, formula and circumstances of the comparison, with its warnings. */
function Method({ compared, onDone }: { readonly compared: Compared; readonly onDone: () => void }): JSX.Element {
  const tab = useCompare();
  const { normalised, isReplicated, sharesHost, runs, sizes, warnings } = compared;
  const method = methodText(compared, runs);
  const formula = [normalised.formula, ...normalised.divisors.map(visibleText)];
  const load = warnings.find(({ code }) => code === SIZE_CODE);
  return (
    <div className="method">
      <dl>
        <Row term="Runs">
          {!isReplicated && sharesHost ? (
            <>
              <b>Within this run only.</b> With fewer than {LEAST_REPLICATES} captures a side, the best verdict is{' '}
              {VERDICT_WORDS.suggestive} ({verdictReason(compared)}).
            </>
          ) : (
            `${runsText(runs, isReplicated)}${isReplicated ? ', 5 % false discoveries' : ''}`
          )}
          <RunDots compared={compared} />
        </Row>
        {sizes !== null && (
          <Row term="Factor">
            {load?.message ??
              `${sizeText(sizes)!}: the typical function did not change, so values compare as measured.`}
          </Row>
        )}
        <Row term="Circumstances">
          <Circumstances rows={compared.circumstances} />
        </Row>
        <Row term="Test">{method}</Row>
        <Row term="Formula">
          <span className="mono">{formula.join('\n')}</span>
        </Row>
      </dl>
      <Warnings label="Warnings" warnings={ownWarnings(compared)} />
      <p className="method-ways">
        <Button
          onClick={() => void copyText([method, ...formula, ...warnings.map(({ message }) => message)].join('\n'))}
        >
          <Icon name="copy" />
          Copy method
        </Button>
        <Button
          onClick={() => {
            tab.setLook({ panel: 'self-test' });
            onDone();
          }}
        >
          Self-test
        </Button>
      </p>
    </div>
  );
}

const Row = ({ term, children }: { readonly term: string; readonly children: ReactNode }): JSX.Element => (
  <div>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </div>
);

/** Width and height of a side's dots in px, and their radius. */
const DOTS = { width: 300, row: 12, radius: 4 } as const;

/** The value of each capture as a dot, *before* above *after*, from 0 to the largest. */
function RunDots({ compared }: { readonly compared: Compared }): JSX.Element {
  const values = useValueText(compared);
  const sides = [compared.before, compared.after].map(({ captures }) => captures.map(({ value }) => value));
  const largest = Math.max(0, ...sides.flat());
  const texts = sides.map((side) => side.map((value) => values.value(value)).join(', '));
  const x = (value: number): number =>
    DOTS.radius + (largest > 0 ? Math.max(0, value / largest) : 0) * (DOTS.width - 2 * DOTS.radius);
  return (
    <svg
      className="run-dots"
      width={DOTS.width}
      height={2 * DOTS.row}
      role="img"
      aria-label={`Totals${values.per}: ${texts[0]} before; ${texts[1]} after`}
    >
      {sides.map((side, row) =>
        side.map((value, place) => (
          <circle
            key={place}
            className={row === 0 ? 'before' : 'after'}
            cx={x(value)}
            cy={(row + 0.5) * DOTS.row}
            r={DOTS.radius}
          />
        )),
      )}
    </svg>
  );
}

/** The circumstances in which the sides differ, as a table, and those known on only one side. */
function Circumstances({ rows }: { readonly rows: readonly CircumstanceRow[] }): JSX.Element {
  const apart = rows.filter(({ status }) => status === 'differs');
  const same = rows.filter(({ status }) => status === 'same');
  const unknown = unknownCircumstances(rows);
  return (
    <>
      {apart.length > 0 && (
        <table aria-label="Environment differences">
          <thead>
            <tr>
              <th scope="col">circumstance</th>
              <th scope="col">before</th>
              <th scope="col">after</th>
            </tr>
          </thead>
          <tbody>
            {apart.map(({ id, label, before, after }) => (
              <tr key={id}>
                <th scope="row">{label}</th>
                <td className="mono">{visibleText(before ?? '')}</td>
                <td className="mono">{visibleText(after ?? '')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {same.length > 0 && <p>Same: {same.map(({ label }) => label).join(', ')}.</p>}
      {unknown !== null && <p>Circumstances {unknown}.</p>}
      {rows.length === 0 && 'None is known.'}
    </>
  );
}
