import type { ContainerFacts } from '#core/contract/capture-facts.ts';
import { parseControlGroup } from '#core/contract/control-group.ts';
import { clientPrints, createContainerNames, readDigest } from './container-names.ts';
import { readTexts } from './read-texts.ts';
import type { Target } from './target.ts';

/** A process, or the path of a control group. */
type ContainerOwner = { readonly pid: number } | { readonly path: string };

/**
 * Reads which container a process or control group belongs to, and what its runtime reports about it. Null outside a
 * container. Runtimes whose client or socket this user can't use leave names and image null.
 */
export async function readContainer(target: Target, owner: ContainerOwner): Promise<ContainerFacts | null> {
  const [text] = 'path' in owner ? [`0::${owner.path}`] : await readTexts(target, [`/proc/${owner.pid}/cgroup`]);
  const { container, containerId: id, podUid } = parseControlGroup(text ?? '');
  if (container === null || id === null) return null;
  const runtime = container.slice(0, container.indexOf(':'));
  const [names, inspected] = await Promise.all([
    createContainerNames(target).read([{ runtime, id }]),
    inspectImage(target, runtime, id),
  ]);
  const { name = null, image = null, pod = podUid, digest = null } = names.get(id) ?? {};
  return { id: container, name, image, digest: digest ?? inspected, pod };
}

/** Returns the id of the container's image, which is the digest of its configuration: `docker ps` does not print it. */
async function inspectImage(target: Target, runtime: string, id: string): Promise<string | null> {
  if (runtime !== 'docker') return null;
  return readDigest(await clientPrints(target, [runtime, 'container', 'inspect', '--format', '{{.Image}}', id]));
}
