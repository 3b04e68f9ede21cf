import { useState, type JSX } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { CompareWarning } from '#core/compare/compare-warning.ts';
import { withPairs, withRule } from '#core/compare/match/all-rules.ts';
import type { MatchRules } from '#core/compare/match/match-rules.ts';
import { countOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { useCompare, useCompareState } from '../../state/compare/context.ts';
import { Button, LinkButton } from '../../ui/buttons.tsx';

/** Number of warnings shown; longer lists are collapsed. */
const SHOWN_WARNINGS = 2;

interface WarningsProps {
  readonly label: string;
  readonly warnings: readonly CompareWarning[];
}

/** Warnings with what they propose. */
export function Warnings({ label, warnings }: WarningsProps): JSX.Element | null {
  const [isOpen, setOpen] = useState(false);
  if (warnings.length === 0) return null;
  const shown = isOpen ? warnings : warnings.slice(0, SHOWN_WARNINGS);
  return (
    <ul className="compare-warnings" aria-label={label}>
      {shown.map(({ code, message, rule, pairs }) => (
        <li key={`${code} ${message}`}>
          <Icon name="warning" />
          <span>{visibleText(message)}</span>
          {rule !== undefined && <MatchBy label="Match by this rule" change={(rules) => withRule(rules, rule)} />}
          {pairs !== undefined && <MatchBy label="Match them" change={(rules) => withPairs(rules, pairs)} />}
        </li>
      ))}
      {warnings.length > SHOWN_WARNINGS && (
        <li>
          <LinkButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Fewer' : countOf(warnings.length - SHOWN_WARNINGS, 'more warning')}
          </LinkButton>
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
  return <Button onClick={() => tab.setOptions({ rules: change(rules) })}>{label}</Button>;
}
