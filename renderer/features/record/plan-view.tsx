import type { ReactElement } from 'react';
import { visibleText } from '#core/analyze/function-label.ts';
import type { Result } from '#core/contract/contract.ts';
import { CopyButton } from '../../ui/fields/copy-button.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { CheckList } from '../../ui/status/check-list.tsx';
import type { PlanState } from './use-plan.ts';

interface PlanViewProps {
  /** Why there is nothing to plan yet. */
  readonly missing: string | null;
  readonly planned: PlanState;
  /** Returns a target's name. */
  readonly nameOf: (target: string) => string;
}

/** The exact commands and preflight checks of each host, or why there is nothing to run yet. */
export function PlanView({ missing, planned, nameOf }: PlanViewProps): ReactElement {
  const { plan, problem, outdated } = planned;
  if (missing !== null) return <p className="plan plan-hint">{missing}</p>;
  if (problem !== null) return <ProblemView problem={problem} />;
  if (plan === null) return <p className="plan plan-hint">Checking what can be recorded…</p>;
  return (
    <div className={outdated ? 'plans outdated' : 'plans'} aria-busy={outdated}>
      {plan.hosts.map((host) => (
        <HostPlan key={host.target} host={host} name={plan.hosts.length > 1 ? nameOf(host.target) : null} />
      ))}
    </div>
  );
}

type PlannedHostResult = Result<'record.plan'>['hosts'][number];

/** `name` is set if there are several hosts. */
function HostPlan({ host, name }: { host: PlannedHostResult; name: string | null }): ReactElement {
  const text = host.lines.join('\n');
  const where = host.target === 'local' ? '' : ' there';
  return (
    <section className="plan" aria-label={name === null ? 'Plan' : `Plan for ${visibleText(name)}`}>
      {name !== null && (
        <h3 className="plan-host">
          {visibleText(name)}
          {text === '' && <span className="badge danger">can’t record</span>}
        </h3>
      )}
      {text !== '' && (
        <div className="plan-commands">
          <h3>Exactly this will run{where}</h3>
          <CopyButton label="Copy the commands" text={text} />
          <pre className="mono">{text}</pre>
        </div>
      )}
      <CheckList checks={host.checks} />
    </section>
  );
}
