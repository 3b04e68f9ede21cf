import type { ReactElement } from 'react';
import type { Check } from '#core/contract/schemas.ts';
import { FailureHelp } from '../failure-help.tsx';
import { Icon, type IconName } from '../icons.tsx';

const ORDER: readonly Check['status'][] = ['failed', 'warning', 'unknown', 'ok', 'absent'];

/** Preflight checks with their remedies; those that need attention come first. */
export function CheckList({ checks }: { checks: readonly Check[] }): ReactElement {
  const ordered = ORDER.flatMap((status) => checks.filter((check) => check.status === status));
  return (
    <ul className="check-list" aria-label="Preflight checks">
      {ordered.map((check) => (
        <li key={check.id} className={`check ${check.status}`}>
          <Icon name={CHECK_LOOKS[check.status].icon} />
          <span className="sr-only">{CHECK_LOOKS[check.status].name}:</span>
          <span className="check-text">
            <span>{check.found}</span>
            {check.remedy !== null && <span className="dim"> {check.remedy}</span>}
            {needsAttention(check) && <FailureHelp code={check.id} />}
          </span>
        </li>
      ))}
    </ul>
  );
}

export const needsAttention = ({ status }: Check): boolean => status === 'failed' || status === 'warning';

/** Icon and name of each outcome of a check. */
export const CHECK_LOOKS: Readonly<Record<Check['status'], { readonly icon: IconName; readonly name: string }>> = {
  ok: { icon: 'check', name: 'ok' },
  absent: { icon: 'minus', name: 'absent' },
  warning: { icon: 'warning', name: 'warning' },
  failed: { icon: 'close', name: 'failed' },
  unknown: { icon: 'question', name: 'unknown' },
};
