import { describeContainer, type ContainerAddress } from '#core/contract/container-address.ts';
import { isLoopbackHost } from '#core/contract/loopback-host.ts';
import { findGroup, isInGroup, type CgroupScope, type NamedGroup } from '#collectors/target/find-group.ts';
import { ownAddresses } from '#collectors/target/listeners.ts';
import { portOf } from '#collectors/fetch/url-port.ts';
import { listProcesses } from '#collectors/target/processes.ts';
import { runToEnd } from '#collectors/target/run-to-end.ts';
import type { Target } from '#collectors/target/target.ts';
import { EngineFailure } from '../failure.ts';

/** Time in ms that kubectl may take to answer about a pod, and to open a forward. */
const KUBECTL_MS = 20_000;

const notReached = (message: string, remedy: string): EngineFailure =>
  new EngineFailure('container-not-reached', message, remedy);

/** kubectl's port forwards; each promise resolves with the local port. */
export type Forwards = Map<string, Promise<number>>;

const groupOf = ({ container, pod }: ContainerAddress): NamedGroup =>
  container === null
    ? { kind: 'pod', name: pod ?? '' }
    : { kind: 'container', name: container, ...(pod === null ? {} : { pod }) };

/**
 * Returns the control group of a container on this machine. Throws an {@link EngineFailure} that names the node if the
 * pod runs on another one.
 */
export async function findContainer(target: Target, address: ContainerAddress): Promise<CgroupScope> {
  const found = findGroup(await listProcesses(target), groupOf(address));
  if (!('problem' in found)) return found;
  if (address.client !== 'kubectl') throw notReached(found.problem, found.remedy);
  const node = await nodeOf(target, address.pod ?? '');
  throw notReached(
    `pod ${address.pod} runs on node ${node}, where perf must run`,
    `flamebench record perf --target ssh://${node} --pod ${address.pod} …; pprof needs no access to the node`,
  );
}

async function nodeOf(target: Target, pod: string): Promise<string> {
  const [namespace = '', name = ''] = pod.split('/');
  const argv = ['kubectl', 'get', 'pod', '--namespace', namespace, name, '--output', 'jsonpath={.spec.nodeName}'];
  const printed = await runToEnd(target, argv, { timeoutMs: KUBECTL_MS }).catch(() => null);
  if (printed === null)
    throw notReached('kubectl is not installed here', 'Install it, or name the node with --target ssh://NODE');
  const node = new TextDecoder().decode(printed.stdout).trim();
  if (printed.exit.code === 0 && /^[a-z0-9][a-z0-9.-]{0,252}$/.test(node)) return node;
  throw notReached(
    kubectlLine(printed.stderr, `kubectl knows no node of pod ${pod}`),
    'Check its name and kubectl’s context',
  );
}

const kubectlLine = (stderr: string, otherwise: string): string => {
  const [line = ''] = stderr.trim().split('\n');
  return line === '' ? otherwise : `kubectl: ${line.slice(0, 300)}`;
};

/**
 * Converts the address of a service within its container to one reachable from here: through the container's own
 * network or, for a pod, a port forward of kubectl, which lasts until the target is disposed and is in `forwards` while
 * it runs.
 */
export async function reachableServiceUrl(
  target: Target,
  address: ContainerAddress,
  url: string,
  forwards: Forwards = new Map(),
): Promise<string> {
  const seen = new URL(url);
  if (!isLoopbackHost(seen.hostname)) {
    throw notReached(
      `${seen.host} is not an address of ${describeContainer(address)} itself`,
      'Give http://localhost:PORT/, as the program in it listens',
    );
  }
  if (address.client === 'kubectl') {
    return `${seen.protocol}//127.0.0.1:${await forwardOf(target, address.pod ?? '', portOf(seen), forwards)}${seen.pathname}${seen.search}`;
  }
  const row = (await listProcesses(target)).find((one) => isInGroup(one, groupOf(address)));
  if (row === undefined) {
    throw notReached(`no process runs in ${describeContainer(address)}`, 'flamebench ps lists containers');
  }
  const addresses = await ownAddresses(target, row.pid);
  if (addresses === null) return url;
  const [own] = addresses;
  if (own !== undefined)
    return `${seen.protocol}//${own}${seen.port === '' ? '' : `:${seen.port}`}${seen.pathname}${seen.search}`;
  throw notReached(
    `${describeContainer(address)} has a network without an address that this machine reaches`,
    'Publish its port, and give that address without --target',
  );
}

function forwardOf(target: Target, pod: string, port: number, forwards: Forwards): Promise<number> {
  const key = `${pod} ${port}`;
  const forward = forwards.get(key) ?? forwardPod(target, pod, port, () => forwards.delete(key));
  forwards.set(key, forward);
  return forward;
}

/** Returns the local port that kubectl forwards to the pod's, until `onEnd`. */
async function forwardPod(target: Target, pod: string, port: number, onEnd: () => void): Promise<number> {
  const [namespace = '', name = ''] = pod.split('/');
  const argv = [
    'kubectl',
    'port-forward',
    '--namespace',
    namespace,
    '--address',
    '127.0.0.1',
    `pod/${name}`,
    `:${port}`,
  ];
  const running = await target.run(argv, { input: false }).catch(() => null);
  if (running === null) {
    onEnd();
    throw notReached('kubectl is not installed here', 'Install it, or forward the port by other means');
  }
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const timer = setTimeout(() => running.kill('SIGKILL'), KUBECTL_MS);
  // Reads both outputs to the end, since kubectl reports each connection.
  const [, errors] = [
    readAll(running.stdout, (printed) => {
      const found = /^Forwarding from 127\.0\.0\.1:(\d{1,5}) -> /m.exec(printed)?.[1];
      if (found !== undefined) resolve(Number(found));
    }),
    readAll(running.stderr, () => undefined),
  ];
  void running.exit.then(async () => {
    onEnd();
    reject(
      notReached(
        kubectlLine(await errors, `kubectl does not forward port ${port} of pod ${pod}`),
        'Check the pod’s name, its port and kubectl’s context',
      ),
    );
  });
  return promise.finally(() => clearTimeout(timer));
}

/** Maximum number of characters of an output that are kept; the rest is dropped. */
const MAX_TEXT = 16_384;

/** Reads an output to its end and returns its beginning, which `onText` receives as it grows. */
async function readAll(output: AsyncIterable<Uint8Array>, onText: (text: string) => void): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of output) {
    if (text.length > MAX_TEXT) continue;
    text += decoder.decode(chunk, { stream: true });
    onText(text);
  }
  return text;
}
