import { formatTargetId, parseTargetId, type SshDestination } from '#core/contract/target.ts';

export interface SshClient {
  /** Default `ssh`, of the search path. */
  readonly program: string;
  /** Null: the user's and the system's. */
  readonly configFile: string | null;
}

/** What every call sets, whatever the user's config says: nothing runs, is forwarded or accepted besides what is asked for. */
const SAFETY = [
  'RemoteCommand=none',
  'PermitLocalCommand=no',
  'ForwardAgent=no',
  'ForwardX11=no',
  'ForwardX11Trusted=no',
  'Tunnel=no',
  'StrictHostKeyChecking=ask',
  'NoHostAuthenticationForLocalhost=no',
  'EscapeChar=none',
];

/**
 * The one call that connects, asks and stays. Keepalives end it 9 to 12 s after the last byte of the host's, a little after the host's
 * watchdog has ended what ran there (8 s). ssh compresses packet by packet, so what has come is readable whenever the link goes; gzip on the
 * host would hold back its last block, of a slow recording all of it.
 */
export function masterArgv(client: SshClient, destination: SshDestination, socket: string): string[] {
  return [
    client.program,
    ...configFile(client),
    '-M',
    '-N',
    '-T',
    '-S',
    socket,
    ...options([
      ...SAFETY,
      'RequestTTY=no',
      'ClearAllForwardings=yes',
      'ControlPersist=no',
      'StreamLocalBindMask=0177',
      'ServerAliveInterval=3',
      'ServerAliveCountMax=3',
      'LogLevel=INFO',
      'Compression=yes',
    ]),
    ...whereTo(destination),
  ];
}

/**
 * A channel of the master. It reads no config (the master did), so nothing of it can change what runs; where the master has gone,
 * `ProxyCommand=false` keeps ssh from connecting anew by itself.
 */
export function channelArgv(
  client: SshClient,
  destination: SshDestination,
  socket: string,
  command: string,
  tty: 'none' | 'own' = 'none',
): string[] {
  return [
    client.program,
    ...(tty === 'own' ? ['-tt'] : ['-T']),
    ...throughMaster(socket),
    ...options([`RequestTTY=${tty === 'own' ? 'force' : 'no'}`, 'ClearAllForwardings=yes']),
    ...whereTo(destination),
    command,
  ];
}

/** `-O`: asks the master something. `forwarding` is `local-socket:host:port`; it can't be given together with ClearAllForwardings. */
export function controlArgv(
  client: SshClient,
  destination: SshDestination,
  socket: string,
  request: 'check' | 'exit' | 'forward' | 'cancel',
  forwarding?: string,
): string[] {
  return [
    client.program,
    '-T',
    ...throughMaster(socket),
    ...options(['RequestTTY=no']),
    '-O',
    request,
    ...(forwarding === undefined ? options(['ClearAllForwardings=yes']) : ['-L', forwarding]),
    ...whereTo(destination),
  ];
}

/** `-G`: prints what the configuration comes to for a host, or a jump host as ProxyJump names it. */
export function configArgv(client: SshClient, host: SshDestination | string): string[] {
  const named = typeof host === 'string' ? ['--', host.startsWith('ssh://') ? host : `ssh://${host}`] : whereTo(host);
  return [client.program, ...configFile(client), '-G', '-N', '-T', ...named];
}

const configFile = (client: SshClient): string[] => (client.configFile === null ? [] : ['-F', client.configFile]);

const throughMaster = (socket: string): string[] => [
  '-F',
  'none',
  '-S',
  socket,
  ...options([...SAFETY, 'ControlMaster=no', 'ProxyCommand=false', 'BatchMode=yes', 'LogLevel=ERROR']),
];

const options = (settings: readonly string[]): string[] => settings.flatMap((setting) => ['-o', setting]);

/** Throws a TargetIdFailure where a part can't be what it says; nothing after `--` is read as an option. */
function whereTo(destination: SshDestination): string[] {
  parseTargetId(formatTargetId({ kind: 'ssh', ...destination }));
  const { user, host, port } = destination;
  return [...(user === null ? [] : ['-l', user]), ...(port === null ? [] : ['-p', `${port}`]), '--', host];
}
