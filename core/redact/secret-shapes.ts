import { isSecretName } from './secret-names.ts';

export const REDACTED = '‹redacted›';

/** Secrets recognisable by their form wherever they occur, as documented by their issuers. */
const SHAPES: readonly RegExp[] = [
  // GitHub, GitLab
  /\bgh[oprsu]_[A-Za-z0-9]{16,}/g,
  /\bgithub_pat_\w{16,}/g,
  /\bgl(?:pat|dt|rt|ptt|cbt|soat)-[\w-]{16,}/g,
  // AWS, Google, Azure
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  /\bya29\.[\w-]{16,}/g,
  // Slack
  /\bxox[a-z]-[A-Za-z0-9-]{8,}/g,
  /\bxapp-\d-[A-Za-z0-9-]{8,}/g,
  /\bhooks\.slack\.com\/services\/[\w/]+/g,
  // JSON Web Tokens (RFC 7519): a header that begins with {" in base64url
  /\beyJ[\w-]{6,}\.[\w-]{6,}(?:\.[\w-]*){1,3}/g,
  // Stripe, OpenAI, Anthropic, SendGrid, npm, PyPI, Docker, Hugging Face, DigitalOcean, Vault, Shopify, Square,
  // Atlassian, Telegram, age
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{12,}/g,
  /\bsk-(?:ant-|proj-)?[\w-]{20,}/g,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bpypi-[\w-]{30,}/g,
  /\bdckr_pat_[\w-]{16,}/g,
  /\bhf_[A-Za-z0-9]{24,}/g,
  /\bdo[opr]_v1_[a-f0-9]{32,}/g,
  /\bhv[bs]\.[\w-]{20,}/g,
  /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/g,
  /\bsq0(?:atp|csp)-[\w-]{20,}/g,
  /\bATATT3[\w=-]{20,}/g,
  /\b\d{8,10}:AA[\w-]{33}/g,
  /\bAGE-SECRET-KEY-1[A-Z0-9]{20,}/g,
  // PEM (RFC 7468), including joined lines and truncated text
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?:(?!-----END)[\s\S])*(?:-----END [A-Z0-9 ]*-----)?/g,
];

/** The user and password of a URL; for HTTP also a user alone, which may be a token. */
const URL_USERINFO = /([a-z][a-z0-9+.-]{0,30}:\/\/)([^\s/?#]{1,2000})@/gi;
/** Go's data source names: `user:password@tcp(host:3306)/db`, `user:password@/db`. */
const DATA_SOURCE = /(^|[\s=])([\w.-]{1,100}):([^\s@]{1,500})@(?=(?:tcp|tcp6|unix|udp)?[(/])/g;
/** With a scheme, in one word, or alone; in a line of several words, its value may be something else. */
const AUTHORIZATION =
  /\b((?:proxy-)?authorization:(?:\s*(?:bearer|basic|token|digest)\s+|(?=\S)|\s*(?=\S+$)(?<=^[^\s:]*:\s*)))(?!‹)[^\s'"]+/gi;
/** Headers of services, alone in an argument. */
const KEY_HEADER =
  /^((?:x-(?:[\w-]*-)?|api-?|private-|auth-)(?:key|token|auth|secret|password)\s*:\s*)(?!‹)\S[^\r\n]*$/i;
const ORACLE = /\b(jdbc:oracle:\w{1,10}:[\w$#]{1,100}\/)[^\s@]{1,200}(?=@)/g;
const COOKIE = /\b((?:set-)?cookie\s*:\s*)(?!‹)[^'"\s][^'"]*/gi;
const BEARER = /\b(bearer\s+)(?=[\w.~+/=-]*\d)[\w.~+/=-]{8,}/gi;
/** `name=value` after the first of a list: a query, a connection string, comma-separated options. */
const FIELD = /([?&;,\s])([A-Za-z_][\w.-]{0,100})=("[^"]*"|'[^']*'|[^&;,\s]+)/g;
/** Numbers of at least four digits; shorter ones are counts. */
const JSON_FIELD = /(["'])([A-Za-z_][\w.-]{0,100})\1(\s*:\s*)("(?:[^"\\]|\\.)*"|'[^']*'|\d{4,}(?=\s*(?:[,}\]]|$)))/g;
const SIGNATURE = /([?&](?:sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature)=)[^&#\s]+/gi;
const PLAIN_FIELD = /\b((?:password|passwd|passphrase)\s*:\s*)(?!‹)[^\s,;]+/gi;
/** SQL that sets a password, in quotes that a shell may have escaped. */
const SQL_PASSWORD =
  /\b(identified\s+(?:with\s+\S{1,100}\s+)?by\s+(?:password\s+)?|(?:user|role)\s[^;]{1,200}?\spassword\s+)('\\''|\\?["'])(?!‹).{1,500}?\2/gi;
/** `user=name%password` of mount.cifs, except escapes of a URL. */
const SHARE_USER = /((?:^|[,\s])user(?:name)?=[^%,\s]+%)(?![0-9A-Fa-f]{2})[^,\s]+/g;
/** Text piped into a program that reads a password. */
const PIPED_PASSWORD =
  /\b((?:echo|printf)\s+(?:-\w+\s+)*)('[^']*'|"[^"]*"|[^\s|]+)(?=\s*\|\s*(?:sudo\s+(?:-\w+\s+)*(?:-\w*S|chpasswd)|chpasswd|passwd\s+--stdin|[^|]{1,200}\s--password-stdin))/g;

/** Text that an expect script types: a string that ends a line, or one in braces. */
const SENT = /\b((?:exp_)?send\s+(?:-[\w-]*\s+)*)("(?:[^"\\]|\\.)*\\[rn]"|'(?:[^'\\]|\\.)*\\[rn]'|\{[^{}]*\})/g;

/** No shape is shorter, and every other pattern needs one of these marks. */
const SHORTEST = 12;
const MARKS = /[:=@&{"'\s]/;

/** Results for words, which the command lines of a library's captures repeat thousands of times. */
const known = new Map<string, string>();
const MAX_KNOWN = 4096;
const MAX_KNOWN_LENGTH = 200;

/**
 * Returns the text with everything that is a secret by its form or by the name of its field replaced by {@link
 * REDACTED}.
 */
export function redactText(text: string): string {
  if (text.length < SHORTEST && !MARKS.test(text)) return text;
  if (text.length > MAX_KNOWN_LENGTH) return redactedText(text);
  let redacted = known.get(text);
  if (redacted === undefined) {
    if (known.size === MAX_KNOWN) known.clear();
    known.set(text, (redacted = redactedText(text)));
  }
  return redacted;
}

function redactedText(text: string): string {
  let kept = text;
  for (const shape of SHAPES) kept = kept.replace(shape, REDACTED);
  return kept
    .replace(URL_USERINFO, (whole, scheme: string, user: string) =>
      user.includes(':') || /^https?:/i.test(scheme) ? `${scheme}${REDACTED}@` : whole,
    )
    .replace(DATA_SOURCE, (_, before: string, user: string) => `${before}${user}:${REDACTED}`.concat('@'))
    .replace(PIPED_PASSWORD, `$1${REDACTED}`)
    .replace(SQL_PASSWORD, `$1$2${REDACTED}$2`)
    .replace(SHARE_USER, `$1${REDACTED}`)
    .replace(SENT, `$1${REDACTED}`)
    .replace(AUTHORIZATION, `$1${REDACTED}`)
    .replace(KEY_HEADER, `$1${REDACTED}`)
    .replace(ORACLE, `$1${REDACTED}`)
    .replace(COOKIE, `$1${REDACTED}`)
    .replace(BEARER, `$1${REDACTED}`)
    .replace(SIGNATURE, `$1${REDACTED}`)
    .replace(PLAIN_FIELD, `$1${REDACTED}`)
    .replace(FIELD, (whole, before: string, name: string, value: string) =>
      isSecretName(name, value.replaceAll(/^["']|["']$/g, '')) ? `${before}${name}=${REDACTED}` : whole,
    )
    .replace(JSON_FIELD, (whole, quote: string, name: string, colon: string, value: string) =>
      isSecretName(name, value.replaceAll(/^["']|["']$/g, ''))
        ? `${quote}${name}${quote}${colon}${quote}${REDACTED}${quote}`
        : whole,
    );
}
