export interface SshExplanation {
  readonly message: string;
  readonly remedy: string | null;
}

interface Rule {
  readonly pattern: RegExp;
  readonly explain: (host: string, match: RegExpExecArray) => SshExplanation;
}

/** Messages of ssh when it gives up, the most specific first. They are not translated. */
const RULES: readonly Rule[] = [
  {
    pattern: /execvp\(3\) failed/,
    explain: () => ({ message: 'ssh, the OpenSSH client, is not installed', remedy: 'Install openssh-client' }),
  },
  {
    pattern: /REMOTE HOST IDENTIFICATION HAS CHANGED|host key for .* has changed/i,
    explain: (host) => ({
      message: `the host key of ${host} differs from known_hosts: the host was reinstalled, or another machine answers in its place`,
      remedy:
        'Ask the host’s administrator. Only if the new key is correct: ssh-keygen -R with the name and file shown in the terminal',
    }),
  },
  {
    pattern: /Host key verification failed/i,
    explain: (host) => ({
      message: `the host key of ${host} was not accepted`,
      remedy: 'Connect again and compare the fingerprint',
    }),
  },
  {
    pattern: /Too many authentication failures/i,
    explain: (host) => ({
      message: `${host} refused the login: too many keys were offered`,
      remedy: 'Set IdentitiesOnly yes and an IdentityFile for it in ~/.ssh/config',
    }),
  },
  {
    pattern: /Permission denied(?: \(([^)]*)\))?/i,
    explain: (host, [, methods]) => ({
      message: `${host} refused the login${methods === undefined ? '' : ` (it accepts: ${methods.replaceAll(',', ', ')})`}`,
      remedy: 'Check the user name, and with ssh-add -l that the key is loaded',
    }),
  },
  {
    pattern: /Could not resolve hostname/i,
    explain: (host) => ({
      message: `can’t resolve the name ${host}`,
      remedy: 'Check the name, or the Host entry of ~/.ssh/config',
    }),
  },
  {
    pattern: /Connection refused/i,
    explain: (host) => ({
      message: `no SSH server is listening on ${host}`,
      remedy: 'Check the port, and that sshd runs there',
    }),
  },
  {
    pattern: /Connection timed out|Operation timed out|No route to host|Network is unreachable|Host is down/i,
    explain: (host, [reason]) => ({
      message: `${host} can't be reached: ${reason.toLowerCase()}`,
      remedy: 'Check the network, VPN or firewall',
    }),
  },
  {
    pattern:
      /(?:Bad configuration option|Bad owner or permissions on|percent_expand|terminating, \d+ bad configuration).*/i,
    explain: (_, [line]) => ({ message: `ssh can't use its configuration: ${line}`, remedy: 'Correct ~/.ssh/config' }),
  },
  {
    pattern: /Can't open user config file.*/i,
    explain: (_, [line]) => ({ message: `ssh can't use its configuration: ${line}`, remedy: null }),
  },
  {
    pattern: /unix_listener|ControlPath too long|disabling multiplexing|muxserver|ControlSocket .* already exists/i,
    explain: (host) => ({
      message: `ssh could not make the control socket that all commands on ${host} share`,
      remedy: 'Check that TMPDIR (or XDG_RUNTIME_DIR) is a writable local folder',
    }),
  },
  {
    pattern:
      /(?:Connection (?:closed|reset) by|kex_exchange_identification|ssh_exchange_identification|Broken pipe).*/i,
    explain: (host) => ({
      message: `${host} closed the connection before the login`,
      remedy: 'The server may be full (MaxStartups), may block this address, or may not be an SSH server',
    }),
  },
  {
    pattern: /Timeout, server .* not responding/i,
    explain: (host) => ({ message: `${host} stopped answering`, remedy: 'Connect again when the network is back' }),
  },
];

/** Explains why ssh ended before it was connected; `lines` are those of {@link PromptReader.lines}. */
export function explainFailure(host: string, lines: readonly string[], code: number | null): SshExplanation {
  const text = lines.join('\n');
  for (const { pattern, explain } of RULES) {
    const match = pattern.exec(text);
    if (match !== null) return explain(host, match);
  }
  const last = lines.at(-1);
  return {
    message:
      last === undefined ? `ssh to ${host} ended${code === null ? '' : ` with ${code}`}` : `ssh to ${host}: ${last}`,
    remedy: null,
  };
}
