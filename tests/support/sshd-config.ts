import type { SshHost, SshHostOptions } from './sshd.ts';

/** Returns the configuration of sshd. */
export function serverConfig(
  address: string,
  port: number,
  auth: SshHostOptions['auth'],
  options: SshHostOptions,
): string {
  const yes = (method: SshHostOptions['auth']): string => (method === auth ? 'yes' : 'no');
  const { locale } = options;
  const spoken = locale === undefined ? {} : { LC_ALL: `${locale}.UTF-8`, LOCPATH: '/run/machine/locale' };
  const env = Object.entries({ ...spoken, ...options.env }).map(([name, value]) => `"${name}=${value}"`);
  return [
    `ListenAddress ${address}:${port}`,
    'HostKey /run/machine/host_key',
    'PidFile /run/machine/sshd.pid',
    'AuthorizedKeysFile /run/machine/authorized_keys',
    'StrictModes no',
    'PermitRootLogin yes',
    `PubkeyAuthentication ${yes('key')}`,
    `PasswordAuthentication ${yes('password')}`,
    `KbdInteractiveAuthentication ${yes('keyboard-interactive')}`,
    // Only keyboard-interactive needs PAM, and containers may lack what its sessions need.
    `UsePAM ${yes('keyboard-interactive')}`,
    'PrintMotd yes',
    'PrintLastLog no',
    'UseDNS no',
    'MaxStartups 100',
    'LogLevel VERBOSE',
    ...(options.banner === undefined ? [] : ['Banner /run/machine/banner']),
    ...(options.maxSessions === undefined ? [] : [`MaxSessions ${options.maxSessions}`]),
    ...(env.length === 0 ? [] : [`SetEnv ${env.join(' ')}`]),
    ...(options.serverConfig ?? []),
    '',
  ].join('\n');
}

interface ClientSettings {
  readonly alias: string;
  readonly address: string;
  readonly port: number;
  readonly user: string;
  readonly auth: SshHostOptions['auth'];
  readonly keyFile: string;
  readonly knownHostsFile: string;
  readonly via: SshHost | undefined;
  readonly options: SshHostOptions;
}

/** Returns a Host entry, and the entries of the jump hosts on the way. */
export function clientConfig({
  alias,
  address,
  port,
  user,
  auth,
  keyFile,
  knownHostsFile,
  via,
  options,
}: ClientSettings): string {
  return [
    `Host ${alias} ${address}`,
    `  HostName ${address}`,
    `  Port ${port}`,
    `  User ${user}`,
    ...(auth === 'key' ? [`  IdentityFile ${keyFile}`] : ['  PubkeyAuthentication no']),
    '  IdentitiesOnly yes',
    '  IdentityAgent none',
    `  UserKnownHostsFile ${knownHostsFile}`,
    '  GlobalKnownHostsFile /dev/null',
    ...(via === undefined ? [] : [`  ProxyJump ${via.alias}`]),
    ...(options.clientConfig ?? []).map((line) => `  ${line}`),
    '',
    ...(via === undefined ? [] : [via.clientConfigText]),
  ].join('\n');
}
