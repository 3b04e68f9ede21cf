import type { ReactElement } from 'react';
import type { Check } from '#core/contract/schemas.ts';
import { Icon } from '../icons.tsx';
import { CHECK_LOOKS } from './check-looks.ts';

const ORDER: readonly Check['status'][] = ['failed', 'warning', 'unknown', 'ok', 'absent'];

/** Preflight checks, what needs attention first; the remedy stands with what was found. */
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
          </span>
        </li>
      ))}
    </ul>
  );
}
