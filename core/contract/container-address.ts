import { TargetIdFailure } from './target-id.ts';

/** A container or pod, as `--target` names it: `docker://web`, `podman://web`, `kubectl://prod/web-0/app`. */
export interface ContainerAddress {
  readonly client: 'docker' | 'podman' | 'kubectl';
  /** Name or id of the container; null for a whole pod. */
  readonly container: string | null;
  /** `namespace/name`; null without Kubernetes. */
  readonly pod: string | null;
}

/** Names of containers, namespaces and pods; none begins with `-`. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,252}$/;

/** Returns null if the text has another scheme. Throws a {@link TargetIdFailure}, one line, if the rest is invalid. */
export function parseContainerAddress(text: string): ContainerAddress | null {
  const [, scheme = '', rest = ''] = /^(docker|podman|kubectl):\/\/([^]*)$/i.exec(text) ?? [];
  const client = scheme.toLowerCase();
  if (client !== 'docker' && client !== 'podman' && client !== 'kubectl') return null;
  const names = rest.replace(/\/$/, '').split('/');
  if (!names.every((name) => NAME.test(name))) throw wrongNames(client);
  const [first = '', second, third] = names;
  if (client === 'kubectl') {
    if (second === undefined || names.length > 3) throw wrongNames(client);
    return { client, container: third ?? null, pod: `${first}/${second}` };
  }
  if (names.length > 1) throw wrongNames(client);
  return { client, container: first, pod: null };
}

const wrongNames = (client: ContainerAddress['client']): TargetIdFailure =>
  new TargetIdFailure(
    client === 'kubectl'
      ? 'not the name of a pod: give kubectl://NAMESPACE/POD or kubectl://NAMESPACE/POD/CONTAINER'
      : `not the name of a container: give ${client}://NAME`,
  );

/** Returns `container web` or `pod prod/web-0`. */
export const describeContainer = ({ container, pod }: ContainerAddress): string =>
  container === null ? `pod ${pod}` : pod === null ? `container ${container}` : `container ${container} of pod ${pod}`;
