import type { ProcessRow, Scope } from '#core/contract/schemas.ts';
import { groupPath, type GroupKind } from '#core/contract/control-group.ts';

/** A container, pod or unit as the user names it. */
export interface NamedGroup {
  readonly kind: GroupKind;
  readonly name: string;
  /** `namespace/name` of the pod that a container must belong to. */
  readonly pod?: string;
}

export type CgroupScope = Extract<Scope, { kind: 'cgroup' }>;

/** Returns the control group of all processes that belong to it, or why there is none, in one line. */
export function findGroup(
  processes: readonly ProcessRow[],
  group: NamedGroup,
): CgroupScope | { readonly problem: string; readonly remedy: string } {
  const found = processes.filter((row) => isInGroup(row, group));
  const shown = `${group.kind} ${JSON.stringify(group.name)}`;
  if (found.length === 0) {
    return { problem: `no process runs in ${shown}`, remedy: 'flamebench ps lists containers, pods and units' };
  }
  const paths = new Set(found.flatMap(({ cgroup }) => (cgroup === null ? [] : (groupPath(cgroup, group.kind) ?? []))));
  const [path, second] = paths;
  if (path === undefined) {
    return {
      problem: `${shown} has no control group of its own in the hierarchy that perf uses`,
      remedy: 'record one of its processes with --pid',
    };
  }
  if (second !== undefined) {
    return {
      problem: `${shown} names ${paths.size} control groups: ${[...paths].sort().slice(0, 3).join(', ')}`,
      remedy: 'give the path of one with --cgroup',
    };
  }
  return { kind: 'cgroup', path, name: `${group.kind} ${group.name}` };
}

/** Container ids may be shortened to four characters; a unit is a service unless it says what it is. */
export function isInGroup(
  { container, containerName, pod, unit }: ProcessRow,
  { kind, name, pod: wanted }: NamedGroup,
): boolean {
  if (wanted !== undefined && pod !== wanted) return false;
  if (kind === 'pod') return pod === name;
  if (kind === 'unit') return unit === name || unit === `${name}.service`;
  const id = container?.slice(container.indexOf(':') + 1) ?? '';
  return (
    containerName === name || container === name || (name.length >= 4 && (id.startsWith(name) || isLongForm(name, id)))
  );
}

/** Returns whether `name` is the full id: the list has twelve characters, users may give all 64. */
const isLongForm = (name: string, id: string): boolean =>
  /^[0-9a-f]{13,64}$/.test(name) && name.startsWith(id) && id !== '';
