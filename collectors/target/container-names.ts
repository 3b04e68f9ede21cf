import * as z from 'zod';
import { runToEnd } from './run-to-end.ts';
import type { Target } from './target.ts';
import { jsonValue } from '#core/model/json-value.ts';

/** A container's names as its runtime reports them; null if it does not. */
export interface ContainerNames {
  readonly name: string | null;
  readonly image: string | null;
  /** `namespace/name` of its Kubernetes pod. */
  readonly pod: string | null;
  /** `sha256:…` of its image, if the list of containers has it. */
  readonly digest?: string;
}

export interface ContainerNameReader {
  /**
   * Returns the names of running containers by id. A runtime whose client or socket this user can't use is left out.
   * Clients are queried only for ids that they were not queried for before.
   */
  read(
    containers: readonly { readonly runtime: string; readonly id: string }[],
  ): Promise<ReadonlyMap<string, ContainerNames>>;
}

/** A busy runtime must not hold up the list of processes. */
const CLIENT_LIMITS = { timeoutMs: 2000, maxBytes: 4 << 20 } as const;
const FIELDS = '{{.ID}}\t{{.Names}}\t{{.Image}}';

/** Returns the names of a runtime's running containers by id. */
type ReadNames = (target: Target) => Promise<Map<string, ContainerNames>>;

/** Returns what a runtime's client prints; nothing if it fails. */
export const clientPrints = async (target: Target, argv: readonly string[]): Promise<string> => {
  const printed = await runToEnd(target, argv, CLIENT_LIMITS).catch(() => null);
  return printed?.exit.code === 0 ? new TextDecoder().decode(printed.stdout) : '';
};

const DOCKER: ReadNames = async (target) =>
  parseRows(
    await clientPrints(target, [
      'docker',
      'ps',
      '--no-trunc',
      '--format',
      `${FIELDS}\t{{.Label "io.kubernetes.pod.namespace"}}\t{{.Label "io.kubernetes.pod.name"}}`,
    ]),
  );
const CRICTL: ReadNames = async (target) => parseCrictl(await clientPrints(target, ['crictl', 'ps', '-o', 'json']));

/**
 * Prints the argv of each conmon of this user, which keeps a container of podman, with tabs between the words. podman
 * itself creates files in /etc and in its storage, even to list containers.
 */
const CONMON = `for comm in $(grep -lx conmon /proc/[0-9]*/comm 2>/dev/null); do
  process=\${comm%/comm}
  [ -O "$process" ] && tr '\\0' '\\t' <"$process/cmdline" && echo
done; true`;

const PODMAN: ReadNames = async (target) => {
  const kept = parseConmon(await clientPrints(target, ['sh', '-c', CONMON]));
  const images = new Map<string, Pick<ContainerNames, 'image' | 'digest'>>();
  for (const path of new Set(kept.flatMap(({ lists }) => lists))) {
    const list = await target.readFile(path, CLIENT_LIMITS.maxBytes).catch(() => new Uint8Array());
    for (const [id, image] of parseContainerList(new TextDecoder().decode(list))) images.set(id, image);
  }
  return new Map(
    kept.map(({ id, name }) => [id, { name: shown(name), pod: null, ...(images.get(id) ?? { image: null }) }]),
  );
};

const READERS: ReadonlyMap<string, ReadNames> = new Map([
  ['docker', DOCKER],
  ['podman', PODMAN],
  ['containerd', CRICTL],
  ['cri-o', CRICTL],
  ['kubernetes', CRICTL],
]);

export function createContainerNames(target: Target): ContainerNameReader {
  const known = new Map<string, ContainerNames>();
  const asked = new Set<string>();
  return {
    async read(containers) {
      const unknown = containers.filter(({ runtime, id }) => !asked.has(`${runtime} ${id}`));
      for (const { runtime, id } of unknown) asked.add(`${runtime} ${id}`);
      const readers = new Set(unknown.flatMap(({ runtime }) => READERS.get(runtime) ?? []));
      for (const found of await Promise.all([...readers].map((read) => read(target))))
        for (const [id, names] of found) known.set(id, names);
      return known;
    },
  };
}

/** Parses lines of tab-separated id, name, image and perhaps the pod's namespace and name. */
export function parseRows(printed: string): Map<string, ContainerNames> {
  const found = new Map<string, ContainerNames>();
  for (const line of printed.split('\n')) {
    const [id = '', name = '', image = '', namespace = '', pod = ''] = line.split('\t').map((field) => field.trim());
    if (!/^[0-9a-f]{12,64}$/.test(id)) continue;
    found.set(id, { name: shown(name), image: shown(image), pod: podName(namespace, pod) });
  }
  return found;
}

/** A container that a conmon keeps. */
interface KeptContainer {
  readonly id: string;
  readonly name: string;
  /** Files of containers/storage that may list it: of its storage, and of its run folder for `--rm`. */
  readonly lists: readonly string[];
}

/** Parses lines of argv with tabs between the words. */
export function parseConmon(printed: string): KeptContainer[] {
  return printed.split('\n').flatMap((line) => {
    const words = line.split('\t');
    const after = (option: string): string => words[words.indexOf(option) + 1] ?? '';
    const [id, name, bundle, pidFile] = [after('-c'), after('-n'), after('-b'), after('-p')];
    if (!/^[0-9a-f]{64}$/.test(id)) return [];
    const listIn = (path: string, file: string): string[] => {
      const end = path.indexOf(`/${id}/userdata`);
      return path.startsWith('/') && end > 0 ? [`${path.slice(0, end)}/${file}`] : [];
    };
    const lists = [...listIn(bundle, 'containers.json'), ...listIn(pidFile, 'volatile-containers.json')];
    return [{ id, name, lists }];
  });
}

const listSchema = z.array(z.object({ id: z.string(), image: z.string().nullish(), metadata: z.string().nullish() }));
const metadataSchema = z.object({ 'image-name': z.string().nullish() });

/** Parses a list of containers/storage; empty if it is not valid. */
export function parseContainerList(text: string): [string, Pick<ContainerNames, 'image' | 'digest'>][] {
  return (listSchema.safeParse(jsonValue(text)).data ?? []).map(({ id, image, metadata }) => {
    const names = metadataSchema.safeParse(jsonValue(metadata ?? '')).data;
    const digest = readDigest(image ?? '');
    return [id, { image: shown(names?.['image-name'] ?? ''), ...(digest === null ? {} : { digest }) }];
  });
}

const crictlSchema = z.object({
  containers: z.array(
    z.object({
      id: z.string(),
      metadata: z.object({ name: z.string() }).nullish(),
      image: z.object({ image: z.string(), userSpecifiedImage: z.string().nullish() }).nullish(),
      imageRef: z.string().nullish(),
      labels: z.record(z.string(), z.string()).nullish(),
    }),
  ),
});

/** Parses `crictl ps -o json`; empty if it is not valid. */
export function parseCrictl(printed: string): Map<string, ContainerNames> {
  const found = new Map<string, ContainerNames>();
  const listed = crictlSchema.safeParse(jsonValue(printed)).data?.containers ?? [];
  for (const { id, metadata, image, imageRef, labels } of listed) {
    const label = (key: string): string => (Object.hasOwn(labels ?? {}, key) ? (labels?.[key] ?? '') : '');
    const digest = readDigest(imageRef ?? '');
    found.set(id, {
      name: shown(metadata?.name ?? ''),
      image: shown(image?.userSpecifiedImage || (image?.image ?? '')),
      pod: podName(label('io.kubernetes.pod.namespace'), label('io.kubernetes.pod.name')),
      ...(digest === null ? {} : { digest }),
    });
  }
  return found;
}

/** Maximum characters of a name. */
const LONGEST_NAME = 300;

const shown = (name: string): string | null => (name === '' ? null : name.slice(0, LONGEST_NAME));

const podName = (namespace: string, name: string): string | null =>
  name === '' ? null : `${namespace.slice(0, LONGEST_NAME)}/${name.slice(0, LONGEST_NAME)}`;

/** Finds the digest in `sha256:<hex>`, in a reference `name@sha256:<hex>`, or in podman's hexadecimal id alone. */
export function readDigest(text: string): string | null {
  const hex = /(?:^|@|sha256:)([0-9a-f]{64})\s*$/.exec(text)?.[1];
  return hex === undefined ? null : `sha256:${hex}`;
}
