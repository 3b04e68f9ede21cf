import type { CgroupLimits } from '#core/contract/capture-facts.ts';
import type { GoProcess, ProcessRow, Scope } from '#core/contract/schemas.ts';
import type { Side } from '#core/contract/side.ts';
import type { AnyCollector, AnyPlan } from '#collectors/collector.ts';
import {
  findLimitingGroups,
  readCgroupLimits,
  type Cgroup,
  type GroupOwner,
} from '#collectors/target/cgroup-limits.ts';
import { findListener, readGoProcess } from '#collectors/target/go-process.ts';
import { findProcess } from '#collectors/target/processes.ts';
import type { Target } from '#collectors/target/target.ts';
import { checkedOutCommit, workingFolderOf } from './checked-out-commit.ts';

/** A process, command or system to record, with its plan. */
export interface RecordedSubject {
  /** Null if it is not one of two sides. */
  readonly side: Side | null;
  /** The plan of its next run. */
  plan: AnyPlan;
  readonly collector: AnyCollector;
  readonly process: ProcessRow | null;
  /**
   * The limits of the process, or of the one that starts the command; null if they cannot be read, and for a whole
   * system.
   */
  readonly cgroup: CgroupLimits | null;
  /** The control groups that have those limits; empty if they cannot be read, and for a whole system. */
  readonly groups: readonly Cgroup[];
  /** Null if the program is not known to be Go. */
  readonly goProcess: GoProcess | null;
  /** The commit checked out in the program's folder; null if unknown. */
  readonly commit: string | null;
}

/** Returns what a plan records on a target; `side` is null if it is not one of two. */
export async function findSubject(
  target: Target,
  collector: AnyCollector,
  side: Side | null,
  plan: AnyPlan,
): Promise<RecordedSubject> {
  const scope = collector.scope(plan.options);
  const process = scope?.kind === 'pid' ? await findProcess(target, scope.pid) : null;
  const owner = groupOwner(scope);
  const groups = (owner === null ? null : await findLimitingGroups(target, owner)) ?? [];
  const cgroup = groups.length === 0 ? null : await readCgroupLimits(target, groups);
  const goProcess = await findGoProcess(target, process, collector.port?.(plan.options) ?? null);
  return { side, plan, collector, process, cgroup, groups, goProcess, commit: await commitOf(target, scope) };
}

/** Returns the commit of a program of this machine: of the process's folder, or of the one where a command starts. */
async function commitOf(target: Target, scope: Scope | null): Promise<string | null> {
  if (target.kind !== 'local') return null;
  const folder =
    scope?.kind === 'pid'
      ? await workingFolderOf(scope.pid)
      : scope?.kind === 'command'
        ? (scope.cwd ?? process.cwd())
        : null;
  return folder === null ? null : checkedOutCommit(folder);
}

/** Returns facts about a process, or the one that listens at a port; null if it is not known to be Go. */
async function findGoProcess(
  target: Target,
  process: ProcessRow | null,
  port: number | null,
): Promise<GoProcess | null> {
  if (process !== null) return process.runtime === 'go' ? readGoProcess(target, process.pid) : null;
  const pid = port === null ? null : await findListener(target, port);
  return pid === null ? null : readGoProcess(target, pid);
}

/**
 * Returns the process whose control groups apply: a launched command inherits its starter's groups. Null for a whole
 * system.
 */
function groupOwner(scope: Scope | null): GroupOwner | null {
  switch (scope?.kind) {
    case 'pid':
      return scope.pid;
    case 'cgroup':
      return { path: scope.path };
    case 'command':
      return 'self';
    default:
      return null;
  }
}

/**
 * Returns what a run records. Two sides alternate in the order A B B A, so that drift of the machine affects both alike;
 * in A B A B, B would always be later. Other subjects, which are kinds of profiles, take turns.
 */
export function subjectOf<Subject extends Pick<RecordedSubject, 'side'>>(
  run: number,
  subjects: readonly Subject[],
): Subject {
  const turn = run % subjects.length;
  const isReversed = subjects[0]!.side !== null && Math.floor(run / subjects.length) % 2 === 1;
  return subjects[isReversed ? subjects.length - 1 - turn : turn]!;
}

/** Switches both sides, so that they stay comparable. */
export function switchToFallback(subjects: readonly RecordedSubject[]): void {
  for (const subject of subjects) subject.plan = subject.plan.fallback ?? subject.plan;
}
