import { useMemo, useState, type JSX } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import { unknownCircumstances, type CircumstanceRow } from '#core/compare/circumstances.ts';
import type { CompareWarning } from '#core/compare/compare-refusal.ts';
import { describeChange, missingRunsText } from '#core/compare/describe-change.ts';
import { VERDICT_WORDS, type RunCounts } from '#core/compare/verdict-words.ts';
import { byLead, methodName, methodText } from '#core/compare/describe-comparison.ts';
import { withPair, withRule } from '#core/compare/match/all-rules.ts';
import type { MatchRules } from '#core/compare/match/match-rules.ts';
import { LEAST_REPLICATES } from '#core/compare/measure/measures.ts';
import { count, countOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { useWorkbench } from '../../state/workbench-context.ts';
import type { CellTone } from '../../ui/table/table.types.ts';
import type { Compared } from '../../analysis/comparison/protocol.ts';
import { useCompare, useCompareState } from '../../state/compare/context.ts';
import { verdictTone } from '../../ui/table/delta-columns.ts';
import { kindCounts, untestedCount } from './table/rows.ts';
import type { ShownRows } from '../../state/compare/compare.types.ts';
import { recordMissing } from '../experiments/record-missing.ts';
import { NormalisationChoice } from './normalisation-choice.tsx';
import { useValueText } from './table/use-value-text.ts';
import { verdictReason } from './table/facts.tsx';
import './panels/panels.css';

/** The summary of the comparison, how its numbers were computed, and its warnings. */
export function ComparisonSummary({ compared }: { readonly compared: Compared }): JSX.Element {
  const { normalised, isReplicated, sharesHost } = compared;
  const captures = { before: compared.before.captures.length, after: compared.after.captures.length };
  const { leading, others } = byLead(compared.warnings);
  return (
    <section className="compare-says" aria-label="Summary">
      <Warnings label="Read this first" warnings={leading} />
      <div className="says-row">
        <Whole compared={compared} />
        <Kinds compared={compared} />
      </div>
      <div className="says-row says-method">
        <NormalisationChoice compared={compared} />
        <span className="mono" title={[normalised.formula, ...normalised.divisors.map(visibleText)].join('\n')}>
          {normalised.formula}
        </span>
        {(isReplicated || !sharesHost) && (
          <span className="says-test" title={methodText(compared, captures)}>
            {methodName(compared)}
            {isReplicated ? ', 5 % false discoveries' : ''}
          </span>
        )}
      </div>
      {!isReplicated && sharesHost && <WithinThisRun captures={captures} reason={verdictReason(compared)} />}
      <Circumstances rows={compared.circumstances} />
      <Warnings label="Warnings" warnings={others.filter(({ code }) => code !== 'within-this-run-only')} />
    </section>
  );
}

function Whole({ compared }: { readonly compared: Compared }): JSX.Element | null {
  const values = useValueText(compared);
  const { whole, normalised } = compared;
  // The leading warning says what the whole did.
  if (whole.verdict === 'not-decided') return null;
  if (normalised.kind === 'share') return <p className="says-whole">Each side’s total is 100 %.</p>;
  const { headline, detail } = describeChange(whole, 'total', values, verdictReason(compared));
  return (
    <p className="says-whole" title={`${headline}: ${detail}`}>
      In total, the after side <b className={`tone-${verdictTone(whole)}`}>{headline}</b>:{' '}
      <span className="mono">{detail}</span>.
    </p>
  );
}

const KINDS: readonly {
  readonly show: ShownRows;
  readonly sign: string;
  readonly word: string;
  readonly tone: CellTone;
}[] = [
  { show: 'grew', sign: '▲ ', word: 'grew', tone: 'grew' },
  { show: 'shrank', sign: '▼ ', word: 'shrank', tone: 'shrank' },
  { show: 'suggestive', sign: '', word: VERDICT_WORDS.suggestive, tone: 'plain' },
  { show: 'new', sign: '', word: 'new', tone: 'dim' },
  { show: 'removed', sign: '', word: 'gone', tone: 'dim' },
];

/** The number of functions of each kind, by their totals; a click lists them. */
function Kinds({ compared }: { readonly compared: Compared }): JSX.Element {
  const tab = useCompare();
  const counts = useMemo(() => kindCounts(compared, 'total'), [compared]);
  return (
    <span className="says-kinds">
      {KINDS.filter(({ show }) => (counts.get(show) ?? 0) > 0).map(({ show, sign, word, tone }) => (
        <button
          key={show}
          type="button"
          className={`link-button tone-${tone}`}
          title="Show them in the table, by total"
          onClick={() => tab.lookAtTable({ show, measure: 'total' })}
        >
          {`${sign}${count(counts.get(show) ?? 0)} ${word}${untestedText(compared, show)}`}
        </button>
      ))}
    </span>
  );
}

/** Returns how many functions of a kind have too few samples for a test; only frames of one side are listed untested. */
function untestedText(compared: Compared, show: ShownRows): string {
  const untested = untestedCount(compared, 'total', show);
  return untested === 0 || (show !== 'new' && show !== 'removed') ? '' : ` (${count(untested)} not tested)`;
}

/** Explains what fewer than three captures per side mean, and what to do. */
function WithinThisRun({ captures, reason }: { readonly captures: RunCounts; readonly reason: string | null }) {
  const { showDialog } = useWorkbench();
  const missing = missingRunsText(captures);
  const experimentId = useCompareState((state) => state.experimentId);
  return (
    <div className="says-within" role="note" title="One or two captures do not show run-to-run noise">
      <Icon name="info" />
      <p>
        <b>Within this run only.</b> With fewer than {LEAST_REPLICATES} captures a side, verdicts are{' '}
        {VERDICT_WORDS.suggestive} at most ({reason}).
      </p>
      {missing !== null && (
        <button type="button" className="button" onClick={() => showDialog(recordMissing(captures, experimentId))}>
          Record {missing}
        </button>
      )}
    </div>
  );
}

/** The circumstances in which the sides differ, as a table, and those known on only one side. */
function Circumstances({ rows }: { readonly rows: readonly CircumstanceRow[] }): JSX.Element | null {
  const differing = rows.filter(({ status }) => status === 'differs');
  const unknown = unknownCircumstances(rows);
  if (differing.length === 0) return null;
  return (
    <details className="says-circumstances">
      <summary>
        {countOf(differing.length, 'circumstance')} {differing.length === 1 ? 'differs' : 'differ'}:{' '}
        {differing.map(({ label }) => label).join(', ')}
      </summary>
      <table aria-label="Environment differences">
        <thead>
          <tr>
            <th scope="col">circumstance</th>
            <th scope="col">before</th>
            <th scope="col">after</th>
          </tr>
        </thead>
        <tbody>
          {differing.map(({ id, label, before, after }) => (
            <tr key={id}>
              <th scope="row">{label}</th>
              <td className="mono">{visibleText(before ?? '')}</td>
              <td className="mono">{visibleText(after ?? '')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {unknown === null ? null : <p className="faint-hint">Circumstances {unknown}.</p>}
    </details>
  );
}

/** Number of warnings shown; longer lists are collapsed. */
const SHOWN_WARNINGS = 2;

interface WarningsProps {
  readonly label: string;
  readonly warnings: readonly CompareWarning[];
}

function Warnings({ label, warnings }: WarningsProps): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  if (warnings.length === 0) return null;
  const shown = isOpen ? warnings : warnings.slice(0, SHOWN_WARNINGS);
  return (
    <ul className="says-warnings" aria-label={label}>
      {shown.map(({ code, message, rule, pair }) => (
        <li key={`${code} ${message}`}>
          <Icon name="warning" />
          <span>{visibleText(message)}</span>
          {rule !== undefined && <MatchBy label="Match by this rule" change={(rules) => withRule(rules, rule)} />}
          {pair !== undefined && <MatchBy label="Match them" change={(rules) => withPair(rules, pair)} />}
        </li>
      ))}
      {warnings.length > SHOWN_WARNINGS && (
        <li>
          <button type="button" className="link-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Fewer' : countOf(warnings.length - SHOWN_WARNINGS, 'more warning')}
          </button>
        </li>
      )}
    </ul>
  );
}

interface MatchByProps {
  readonly label: string;
  readonly change: (rules: MatchRules) => MatchRules;
}

/** Does what a warning proposes. */
function MatchBy({ label, change }: MatchByProps): JSX.Element {
  const tab = useCompare();
  const rules = useCompareState((state) => state.options.rules);
  return (
    <button type="button" className="button" onClick={() => tab.setOptions({ rules: change(rules) })}>
      {label}
    </button>
  );
}
