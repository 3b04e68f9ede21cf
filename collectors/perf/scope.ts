import type { Scope } from '#core/contract/schemas.ts';
import type { Target } from '../target/target.ts';
import { parseEvents } from './event-grammar.ts';

/** Mount points where perf looks for control groups: the unified hierarchy (alone or with cgroup 1), perf_event's. */
const MOUNTS = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified', '/sys/fs/cgroup/perf_event'] as const;

/** Returns whether the target has the control group. */
export async function hasControlGroup(target: Target, path: string): Promise<boolean> {
  const found = await Promise.all(MOUNTS.map((mount) => target.stat(`${mount}${path}`)));
  return found.some((folder) => folder !== null);
}

/** Returns perf's options for what is recorded. `launched` stands for the PID of a launched program. */
export function scopeArgv(scope: Scope, event: string, launched: string): string[] {
  switch (scope.kind) {
    case 'pid':
      return ['-p', String(scope.pid)];
    case 'command':
      return ['-p', launched];
    case 'system':
      return ['-a'];
    case 'cgroup': {
      // perf limits one event by each path, in the order of `-e`.
      const events = parseEvents(event).events?.length ?? 1;
      return ['-a', '-G', Array.from({ length: events }, () => scope.path).join(',')];
    }
  }
}
