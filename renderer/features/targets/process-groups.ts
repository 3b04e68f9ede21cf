import type { GroupKind } from '#core/contract/control-group.ts';
import type { ProcessRow } from '#core/contract/schemas.ts';

/** A container, pod or unit of the listed processes. */
export interface ProcessGroup {
  readonly kind: GroupKind;
  /** Unique among all groups of a list. */
  readonly key: string;
  readonly name: string;
  readonly image: string | null;
  readonly count: number;
  /** Sum of its processes, in percent of one CPU; processes without a value count as 0. */
  readonly cpuPercent: number;
}

const KINDS: readonly GroupKind[] = ['container', 'pod', 'unit'];

/** Returns the group's key, which contains the ID because two containers on a host may share a name. */
function keyOf({ container, pod, unit }: ProcessRow, kind: GroupKind): string | null {
  const id = { container, pod, unit }[kind];
  return id === null ? null : `${kind} ${id}`;
}

/** Returns the groups of a list of processes: containers, then pods, then units, each busiest first. */
export function processGroups(rows: readonly ProcessRow[]): ProcessGroup[] {
  const groups = new Map<string, ProcessGroup>();
  for (const row of rows) {
    for (const kind of KINDS) {
      const key = keyOf(row, kind);
      if (key === null) continue;
      const { count, cpuPercent } = groups.get(key) ?? { count: 0, cpuPercent: 0 };
      const name = kind === 'container' ? (row.containerName ?? row.container) : row[kind];
      const image = kind === 'container' ? row.image : null;
      groups.set(key, {
        kind,
        key,
        name: name ?? '',
        image,
        count: count + 1,
        cpuPercent: cpuPercent + (row.cpuPercent ?? 0),
      });
    }
  }
  const place = ({ kind }: ProcessGroup): number => KINDS.indexOf(kind);
  return [...groups.values()].sort(
    (a, b) => place(a) - place(b) || b.cpuPercent - a.cpuPercent || a.name.localeCompare(b.name, 'en'),
  );
}

export const belongsTo = (row: ProcessRow, group: ProcessGroup): boolean => keyOf(row, group.kind) === group.key;
