import type { ProcessRow } from './schemas.ts';

/** Where a process belongs according to its control groups, see cgroups(7). */
export interface GroupFacts {
  /** Path as `perf record -G` takes it: `/system.slice/nginx.service`; null if `/proc/<pid>/cgroup` can't be read. */
  readonly cgroup: string | null;
  /** `docker:0123456789ab`, `lxc:web`; null outside a container. */
  readonly container: string | null;
  /** The container's id in full, or its name (LXC, nspawn). */
  readonly containerId: string | null;
  /** UID of the Kubernetes pod. */
  readonly podUid: string | null;
  /** systemd's innermost unit: `nginx.service`, `session-3.scope`. Those of container runtimes are left out. */
  readonly unit: string | null;
}

export type GroupKind = 'container' | 'pod' | 'unit';

/** A line of `/proc/<pid>/cgroup`. */
export interface GroupLine {
  /** The line of cgroup 2, whose hierarchy has no controllers of cgroup 1. */
  readonly isUnified: boolean;
  readonly controllers: readonly string[];
  /** `/system.slice/app.service` */
  readonly path: string;
}

/** Parses `hierarchy:controllers:path` lines. */
export function parseGroupLines(text: string): GroupLine[] {
  return text.split('\n').flatMap((line) => {
    const [, id, controllers = '', path = ''] = /^(\d+):([^:]*):(\/.*)$/.exec(line) ?? [];
    if (id === undefined) return [];
    return [{ isUnified: id === '0' && controllers === '', controllers: controllers.split(','), path }];
  });
}

/** Parses `/proc/<pid>/cgroup`. */
export function parseControlGroup(text: string): GroupFacts {
  const lines = parseGroupLines(text);
  const paths = lines.map(({ path }) => path);
  const container = firstOf(paths, containerOf);
  return {
    // perf uses the hierarchy of perf_event where cgroup 1 has one, otherwise the unified one.
    cgroup:
      (lines.find(({ controllers }) => controllers.includes('perf_event')) ?? lines.find(({ isUnified }) => isUnified))
        ?.path ?? null,
    container: container === null ? null : `${container.runtime}:${shortenId(container.id)}`,
    containerId: container?.id ?? null,
    podUid: firstOf(paths, (path) => POD.exec(path)?.[1]?.replaceAll('_', '-') ?? null),
    unit: firstOf(paths, unitOf),
  };
}

/**
 * Returns the part of a control group's path that contains the whole container, pod or unit: a container may have
 * groups of its own. Null if the path is not within one.
 */
export function groupPath(path: string, kind: GroupKind): string | null {
  const end =
    kind === 'container' ? containerOf(path)?.end : kind === 'pod' ? POD.exec(path)?.[0].length : unitEnd(path);
  if (end === undefined) return null;
  const next = path.indexOf('/', end);
  return next < 0 ? path : path.slice(0, next);
}

export interface GroupChoice {
  readonly kind: GroupKind;
  readonly path: string;
  /** `container web`, as the scope of a recording names it. */
  readonly name: string;
}

/** Returns the container, pod and unit of a process whose control groups can be recorded, the innermost first. */
export function groupChoices({
  cgroup,
  container,
  containerName,
  pod,
  unit,
}: Pick<ProcessRow, 'cgroup' | 'container' | 'containerName' | 'pod' | 'unit'>): GroupChoice[] {
  const named = { container: containerName ?? container, pod, unit };
  return (['container', 'pod', 'unit'] as const).flatMap((kind) => {
    const path = cgroup === null ? null : groupPath(cgroup, kind);
    return path === null || named[kind] === null ? [] : [{ kind, path, name: `${kind} ${named[kind]}` }];
  });
}

/** Shortens ids as `docker ps` does; names are kept. */
const shortenId = (id: string): string => (/^[0-9a-f]{64}$/.test(id) ? id.slice(0, 12) : id.slice(0, 40));

const CONTAINERS: readonly (readonly [string, RegExp])[] = [
  ['docker', /(?:^|\/)docker[-/]([0-9a-f]{12,64})/],
  ['podman', /libpod-(?:conmon-)?([0-9a-f]{12,64})/],
  ['containerd', /cri-containerd-([0-9a-f]{12,64})/],
  ['cri-o', /crio-(?:conmon-)?([0-9a-f]{12,64})/],
  ['lxc', /\/lxc(?:\.payload)?[./]([^/]+)/],
  ['nspawn', /\/machine\.slice\/(?:systemd-nspawn@|machine-)([^/]+?)\.(?:service|scope)/],
  ['kubernetes', /\/kubepods[^ ]*\/([0-9a-f]{12,64})/],
];

/** systemd's names have `_` instead of `-`: `kubepods-burstable-pod0123_….slice`. */
const POD = /^.*\/kubepods(?:[^/]*\/)*?(?:kubepods[^/]*-)?pod([0-9a-f]{8}[-_][0-9a-f_-]{27}|[0-9a-f]{32})/;

interface Container {
  readonly runtime: string;
  readonly id: string;
  /** Where its name ends in the path. */
  readonly end: number;
}

function containerOf(path: string): Container | null {
  for (const [runtime, pattern] of CONTAINERS) {
    const match = pattern.exec(path);
    if (match) return { runtime, id: match[1]!, end: match.index + match[0].length };
  }
  return null;
}

const UNIT = /\/([^/]+\.(?:service|scope))(?=\/|$)/g;
/** Scopes that container runtimes and systemd itself make. */
const NO_UNIT = /^(?:docker|libpod|cri-containerd|crio|buildah|init)[-.]/;

function lastUnit(path: string): RegExpMatchArray | null {
  return [...path.matchAll(UNIT)].filter((match) => !NO_UNIT.test(match[1]!)).at(-1) ?? null;
}

const unitOf = (path: string): string | null => lastUnit(path)?.[1] ?? null;

function unitEnd(path: string): number | undefined {
  const match = lastUnit(path);
  return match === null ? undefined : match.index! + match[0].length;
}

function firstOf<T>(paths: readonly string[], read: (path: string) => T | null): T | null {
  for (const path of paths) {
    const found = read(path);
    if (found !== null) return found;
  }
  return null;
}
