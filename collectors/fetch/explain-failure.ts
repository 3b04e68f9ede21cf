import { escapeControls } from '#core/contract/escape-controls.ts';
import { redactText } from '#core/redact/secret-shapes.ts';
import { RefusedRecording } from '../recording-failure.ts';

/** Explains why there is no profile, one line each. Secrets in the message's URL are redacted. */
export class PprofFailure extends RefusedRecording {
  constructor(code: string, message: string, remedy: string | null) {
    super(code, redactText(message), remedy);
    this.name = 'PprofFailure';
  }
}

const NO_PPROF =
  'the service must import net/http/pprof (or fgprof) and serve it; give the path before /debug/pprof/ if it has one';

/** Explains an answer other than 200. `text` is the start of its body. */
export function explainStatus(url: string, status: number, text: string): PprofFailure {
  const said = escapeControls(text.trim().split('\n')[0] ?? '').slice(0, 200);
  const answered = `${url} answered ${status}${said === '' || said.startsWith('<') ? '' : `: ${said}`}`;
  if (/profil\w* already (?:in use|enabled|running)|already profiling/i.test(text)) {
    return new PprofFailure(
      'already-profiling',
      `${url} is already recording a CPU profile`,
      'wait until it ends, or record another kind',
    );
  }
  if (/exceeds server.s WriteTimeout/.test(text)) {
    return new PprofFailure('write-timeout', answered, 'record fewer --seconds, or raise WriteTimeout of the server');
  }
  if (/HTTP request to an HTTPS server/i.test(text)) {
    return new PprofFailure('tls', `${url} speaks HTTPS`, 'start the address with https://');
  }
  switch (status) {
    case 401:
    case 403:
    case 407:
      return new PprofFailure(
        'refused',
        answered,
        'give credentials with --header, user:password@ or --cert and --key',
      );
    case 404:
    case 405:
    case 501:
      return new PprofFailure('no-pprof', answered, NO_PPROF);
    default:
      return new PprofFailure('http-error', answered, 'check the service’s log');
  }
}

/** Explains a connection that can't be made, or that ends before the answer. */
export function explainConnection(url: string, error: Error): PprofFailure {
  const code = 'code' in error ? String(error.code) : '';
  const { host, protocol } = new URL(url);
  const failure = (id: string, message: string, remedy: string): PprofFailure => new PprofFailure(id, message, remedy);
  if (code === 'ECONNREFUSED' || code === 'ENOENT') {
    return failure('refused', `nothing is listening on ${host}`, 'check the port, and that the service runs');
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return failure(
      'no-host',
      `can’t resolve the host ${host}`,
      'check the name; use --target for a name known only on the server',
    );
  }
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'ETIMEDOUT') {
    return failure(
      'unreachable',
      `${host} can’t be reached`,
      'check the network; use --target to fetch from another host',
    );
  }
  if (protocol === 'https:' && /wrong version number|packet length too long|http request/i.test(error.message)) {
    return failure('tls', `${host} does not speak HTTPS`, 'start the address with http://');
  }
  if (/^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT)/.test(code)) {
    const why = error.message.split('\n')[0]!.slice(0, 200);
    return failure('tls', `${host} is not trusted: ${why}`, 'give the CA that signed its certificate with --ca FILE');
  }
  if (/^ERR_(?:SSL|TLS)|^EPROTO/.test(code)) {
    const why = error.message.split('\n')[0]!.slice(0, 200);
    return failure('tls', `${host}: TLS failed: ${why}`, 'give a client certificate with --cert and --key');
  }
  if (code.startsWith('HPE_')) return failure('no-http', `${host} does not speak HTTP`, 'check the port');
  return failure(
    'connection-lost',
    `${host} closed the connection without an answer`,
    'check the port; over ssh, that sshd allows forwarding (AllowTcpForwarding)',
  );
}
