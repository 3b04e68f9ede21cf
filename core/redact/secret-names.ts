/**
 * Decides which names of options, variables and fields have a secret as their value. Names are split into words,
 * however they are written: `--db-password`, `PGPASSWORD`, `keyStorePassword`, `spring.datasource.password`.
 */

/** Name endings that are secrets whatever precedes them, also within one word (`PGPASSWORD`, `storepass`). */
const SECRET_ENDING =
  /(?:password|passwd|passphrase|passcode|passwort|pswd|pwd|secret|credential|cred|token|cookie|bearer|requirepass|authkey|apikey|secretkey|accesskey|privatekey|masterkey|accountkey|authkey)s?$/;
/** Words that are secrets only on their own. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  'auth',
  'authorization',
  'masterauth',
  'jwt',
  'otp',
  'pass',
  'pin',
  'psk',
  'puk',
  'pw',
  'sas',
  'totp',
  'userpass',
]);
/** Words that end with `pass` and mean something else. */
const OTHER_PASS = /(?:by|com|sur|tres|encom|over|under|multi|single|first|one|two|render)pass$/;
/** Words before `pass` or `token` that mean passes of a program over its input, or tokens of a language. */
const COUNTED_BEFORE: ReadonlySet<string> = new Set(
  'two first second last single multi one n max min num render depth eos bos pad stop special unk mask sep cls start end next prompt by per'.split(
    ' ',
  ),
);
/** Words after which `key` is a secret. */
const KEYS: ReadonlySet<string> = new Set(
  'api access secret private auth master account app application client server ssl tls signing encryption encrypt decryption deploy license shared storage session service ssh host rsa hmac aes webhook subscription admin write read ingest integration'.split(
    ' ',
  ),
);
/** Words after which the `KEY` of a variable is not a secret. */
const OTHER_KEYS: ReadonlySet<string> = new Set(
  'public pub sort primary partition foreign group cache hot order index routing row lookup map shard object idempotency registry'.split(
    ' ',
  ),
);
/** Options that begin with these words are switches; their next argument is something else. */
const SWITCHES: ReadonlySet<string> = new Set(
  'no ask prompt without disable enable skip show hide allow reset stdin require check validate generate force use with need'.split(
    ' ',
  ),
);
/** Words that may follow the name of a secret (`--password-value`, `TOKEN_B64`). */
const CARRIERS: ReadonlySet<string> = new Set([
  'value',
  'data',
  'text',
  'string',
  'base64',
  'b64',
  'plain',
  'plaintext',
]);
const KEY_OPTION = /^--(?:key|identity|identity-file|ssl-key|tls-key|keyfile|key-file)$/;

/** Returns whether an option, variable or field of that name has a secret as this value. */
export function isSecretName(name: string, value: string): boolean {
  const words = wordsOf(name);
  if (CARRIERS.has(words.at(-1) ?? '')) words.pop();
  const last = words.at(-1);
  if (last === undefined) return false;
  if (name.startsWith('-') && words.length > 1 && SWITCHES.has(words[0]!)) return false;
  const before = words.at(-2) ?? '';
  if (KEY_OPTION.test(name)) return !/^\d[\d.,bdfginrv]*$/.test(value);
  if (last === 'key' || last === 'keys') return isSecretKey(name, last, before);
  if (last === 'pat') return /^[A-Z0-9_]+_PAT$/.test(name);
  const isNamed =
    SECRET_WORDS.has(last) || SECRET_ENDING.test(last) || (/[a-z]pass$/.test(last) && !OTHER_PASS.test(last));
  return isNamed && !isHarmless(last, before, value);
}

function isSecretKey(name: string, last: string, before: string): boolean {
  if (KEYS.has(before)) return true;
  return last === 'key' && /^[A-Z][A-Z0-9_]*$/.test(name) && !OTHER_KEYS.has(before);
}

/** Returns whether the value, although a password could look like it, shows that something else is meant. */
function isHarmless(last: string, before: string, value: string): boolean {
  if (last.endsWith('pwd')) return /^(?:[/~]|\.{1,2}(?:\/|$))/.test(value);
  if (last.endsWith('tokens')) return /^\d*$/.test(value);
  if (last === 'pass') return COUNTED_BEFORE.has(before) || /^\d?$/.test(value);
  if (last === 'pin') return CPU_LIST.test(value);
  if (last === 'token') return COUNTED_BEFORE.has(before);
  if (last === 'auth') return AUTH_KINDS.test(value);
  return false;
}

/** CPUs that a program is pinned to, or whether it is pinned. */
const CPU_LIST = /^(?:\d{1,3}(?:[-,:]\d{1,3})*|true|false|yes|no|on|off|all|none|auto|)$/i;

/** Kinds of authentication, switches, and X authority files. */
const AUTH_KINDS =
  /^(?:|none|basic|digest|ntlm|negotiate|md5|sha\d*|trust|peer|scram[\w-]*|any|anyauth|oauth2?|gssapi|kerberos|ldap|pam|login|plain|cram-md5|true|false|yes|no|on|off|[01]|\/.*)$/i;

function wordsOf(name: string): string[] {
  return name
    .slice(-200)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => (/[a-z]/.test(word) ? (CARRIERS.has(word) ? word : word.replace(/\d+$/, '')) : ''))
    .filter((word) => word !== '');
}

const HARMLESS_HEADERS: ReadonlySet<string> = new Set(
  'accept accept-charset accept-encoding accept-language accept-ranges age cache-control connection content-disposition content-encoding content-language content-length content-range content-type date dnt etag expect forwarded from host if-match if-modified-since if-none-match if-range if-unmodified-since keep-alive max-forwards origin pragma range referer te trailer transfer-encoding traceparent upgrade upgrade-insecure-requests user-agent vary via warning x-correlation-id x-forwarded-for x-forwarded-host x-forwarded-proto x-real-ip x-request-id x-requested-with'.split(
    ' ',
  ),
);

/** Headers that are not known to be harmless count as secret, because each service has its own names. */
export const isHarmlessHeader = (name: string): boolean => HARMLESS_HEADERS.has(name.trim().toLowerCase());
