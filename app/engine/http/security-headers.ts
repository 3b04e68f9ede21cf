import { WORKER_POLICY } from '#core/contract/trusted-types.ts';

/** See docs/architecture.md, "The loopback server". React and d3 set styles through the CSSOM, which `style-src 'self'` allows. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "require-trusted-types-for 'script'",
  "frame-ancestors 'none'",
  // Not covered by default-src.
  "base-uri 'none'",
  "form-action 'none'",
  // The page makes no other policy, and none twice.
  `trusted-types ${WORKER_POLICY}`,
].join('; ');

/** On every answer. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
  'x-frame-options': 'DENY',
  // Ports are reused by other programs; nothing of this one may be left in a cache.
  'cache-control': 'no-store',
};
