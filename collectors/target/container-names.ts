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
export const CLIENT_LIMITS = { timeoutMs: 2000, maxBytes: 4 << 20 } as const;
const FIELDS = '{{.ID}}\t{{.Names}}\t{{.Image}}';

interface Client {
  readonly argv: readonly string[];
  readonly parse: (printed: string) => Map<string, ContainerNames>;
}

const DOCKER: Client = {
  argv: [
    'docker',
    'ps',
    '--no-trunc',
    '--format',
    `${FIELDS}\t{{.Label "io.kubernetes.pod.namespace"}}\t{{.Label "io.kubernetes.pod.name"}}`,
  ],
  parse: parseRows,
};
const PODMAN: Client = { argv: ['podman', 'ps', '--no-trunc', '--format', FIELDS], parse: parseRows };
const CRICTL: Client = { argv: ['crictl', 'ps', '-o', 'json'], parse: parseCrictl };

const CLIENTS: ReadonlyMap<string, Client> = new Map([
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
      const clients = new Set(unknown.flatMap(({ runtime }) => CLIENTS.get(runtime) ?? []));
      await Promise.all(
        [...clients].map(async ({ argv, parse }) => {
          const printed = await runToEnd(target, argv, CLIENT_LIMITS).catch(() => null);
          if (printed?.exit.code !== 0) return;
          for (const [id, names] of parse(new TextDecoder().decode(printed.stdout))) known.set(id, names);
        }),
      );
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
