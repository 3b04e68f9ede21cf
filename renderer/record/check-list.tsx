import type { ReactElement } from 'react';
import type { Check } from '#core/contract/schemas.ts';
import { Icon } from '../shell/icons.tsx';
import type { IconName } from '../shell/icons.tsx';

const LOOKS: Readonly<Record<Check['status'], { icon: IconName; name: string }>> = {
  ok: { icon: 'check', name: 'ok' },
  warning: { icon: 'warning', name: 'warning' },
  failed: { icon: 'close', name: 'failed' },
  unknown: { icon: 'question', name: 'unknown' },
};

const ORDER: readonly Check['status'][] = ['failed', 'warning', 'unknown', 'ok'];

/** Preflight checks, what needs attention first; the remedy stands with what was found. */
export function CheckList({ checks }: { checks: readonly Check[] }): ReactElement {
  const ordered = ORDER.flatMap((status) => checks.filter((check) => check.status === status));
  return (
    <ul className="check-list" aria-label="Preflight checks">
      {ordered.map((check) => (
        <li key={check.id} className={`check ${check.status}`}>
          <Icon name={LOOKS[check.status].icon} />
          <span className="sr-only">{LOOKS[check.status].name}:</span>
          <span className="check-text">
            <span>{check.found}</span>
            {check.remedy !== null && <span className="dim"> {check.remedy}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
