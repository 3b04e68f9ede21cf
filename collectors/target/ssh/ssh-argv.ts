import { formatTargetId, parseTargetId, type SshDestination } from '#core/contract/target-id.ts';

export interface SshClient {
  /** Default: `ssh` on the search path. */
  readonly program: string;
  /** Null: the user's and the system's. */
  readonly configFile: string | null;
}

/**
 * Options of every call, regardless of the user's config: nothing runs, is forwarded or accepted except what was
 * requested.
 */
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
 * The only command that connects, prompts and stays. Keepalives end it 9 to 12 s after the last byte from the host,
 * shortly after the host's watchdog has ended everything there (8 s). ssh compresses packet by packet, so all received
 * data is readable even if the link breaks; gzip on the host would hold back its last block, which is all of a slow
 * recording.
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
    ...destinationArgv(destination),
  ];
}

/**
 * A channel of the master. It reads no config (the master did), so that no config can change what runs; if the master
 * is gone, `ProxyCommand=false` keeps ssh from connecting on its own.
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
    ...destinationArgv(destination),
    command,
  ];
}

/**
 * `-O`: sends a request to the master. `forwarding` is `local-socket:host:port`; it can't be combined with
 * ClearAllForwardings.
 */
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
    ...destinationArgv(destination),
  ];
}

/** Returns `ssh -G`: prints the effective configuration of a host, or of a jump host as ProxyJump names it. */
export function configArgv(client: SshClient, host: SshDestination | string): string[] {
  const named =
    typeof host === 'string' ? ['--', host.startsWith('ssh://') ? host : `ssh://${host}`] : destinationArgv(host);
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

/** Throws a TargetIdFailure if a part is invalid; nothing after `--` is read as an option. */
function destinationArgv(destination: SshDestination): string[] {
  parseTargetId(formatTargetId({ kind: 'ssh', ...destination }));
  const { user, host, port } = destination;
  return [...(user === null ? [] : ['-l', user]), ...(port === null ? [] : ['-p', `${port}`]), '--', host];
}
