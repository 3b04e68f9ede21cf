import { z } from 'zod';

/** What net/http/pprof serves, and fgprof and gperftools beside it, as a path below the service's root and what it measures. */
export const PPROF_ENDPOINTS = {
  cpu: { path: 'debug/pprof/profile', label: 'CPU', timed: true },
  heap: { path: 'debug/pprof/heap', label: 'heap in use', timed: false },
  allocs: { path: 'debug/pprof/allocs', label: 'allocations', timed: false },
  goroutine: { path: 'debug/pprof/goroutine', label: 'goroutines', timed: false },
  block: { path: 'debug/pprof/block', label: 'blocking', timed: false },
  mutex: { path: 'debug/pprof/mutex', label: 'mutexes', timed: false },
  threadcreate: { path: 'debug/pprof/threadcreate', label: 'thread creation', timed: false },
  fgprof: { path: 'debug/fgprof', label: 'wall clock (fgprof)', timed: true },
  gperftools: { path: 'pprof/profile', label: 'CPU (gperftools)', timed: true },
} as const;
type Endpoint = keyof typeof PPROF_ENDPOINTS;

/** A key of {@link PPROF_ENDPOINTS}, or the name of a profile that the program registered (`/debug/pprof/<name>`). */
const kindSchema = z.string().regex(/^[A-Za-z][\w.-]{0,63}$/);

/** No user or password: they would be shown. They become a header. No fragment. */
export const PPROF_URL = /^https?:\/\/(?:[A-Za-z0-9_][\w.-]*|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?:[/?][^\s#\\]*)?$/;

const pemSchema = z
  .string()
  .max(100_000)
  .regex(/^\s*-----BEGIN [A-Z ]+-----/);

export const pprofOptionsSchema = z.object({
  collector: z.literal('pprof'),
  scope: z.discriminatedUnion('kind', [
    /** The service's root, its `/debug/pprof/`, or one profile. Seen from the target. */
    z.object({
      kind: z.literal('url'),
      url: z.string().max(2000).regex(PPROF_URL),
      /** It is itself a profile, of whatever format. */
      exact: z.literal(true).exactOptional(),
    }),
    /** Its listening ports are asked for the usual paths. */
    z.object({
      kind: z.literal('pid'),
      pid: z.number().int().positive().max(2_147_483_647),
      startTicks: z
        .string()
        .regex(/^\d{1,20}$/)
        .nullable(),
    }),
  ]),
  /** One capture each. Of a URL that is one profile: that profile alone. */
  kinds: z.array(kindSchema).min(1).max(16),
  /** Of kinds that take time, and of differences. */
  seconds: z.number().int().min(1).max(3600),
  /** Kinds that count since the start of the program: what they grow by in `seconds`. */
  delta: z.boolean().exactOptional(),
  /** Beside goroutines: their states and how long they wait, as text (`debug=2`). */
  goroutineStates: z.boolean().exactOptional(),
  headers: z
    .array(
      z.object({
        name: z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/),
        /** `‹redacted›` in documents. */
        value: z
          .string()
          .max(8192)
          .regex(/^(?:[\t\x20-\x7e\x80-\xff]*|‹redacted›)$/),
      }),
    )
    .max(20)
    .exactOptional(),
  /** PEM. `ca`: the authority to trust in place of the system's. */
  tls: z
    .object({ certificate: pemSchema.exactOptional(), key: pemSchema.exactOptional(), ca: pemSchema.exactOptional() })
    .exactOptional(),
});
export type PprofOptions = z.infer<typeof pprofOptionsSchema>;

/** What a URL names: the root below which the endpoints are, and the endpoint where it is one. */
export interface PprofAddress {
  /** Ends with `/`. */
  readonly root: string;
  readonly kind: string | null;
  /** With its `?`; empty where there is none. */
  readonly query: string;
}

/** Throws where it does not match {@link PPROF_URL}. */
export function readPprofUrl(url: string): PprofAddress {
  if (!PPROF_URL.test(url)) throw new RangeError('not a URL of a service');
  const [, origin = '', path = '', query = ''] = /^(https?:\/\/[^/?]+)([^?]*)(.*)$/.exec(url)!;
  for (const [kind, { path: known }] of Object.entries(PPROF_ENDPOINTS)) {
    if (path.endsWith(`/${known}`)) return { root: origin + path.slice(0, -known.length), kind, query };
  }
  const named = /^(.*\/)debug\/pprof(?:\/([\w.-]*))?$/.exec(path);
  if (named !== null) return { root: origin + named[1]!, kind: named[2] || null, query };
  return { root: `${origin}${path.replace(/\/*$/, '')}/`, kind: null, query: '' };
}

export const endpointOf = (kind: string): (typeof PPROF_ENDPOINTS)[Endpoint] | null =>
  Object.hasOwn(PPROF_ENDPOINTS, kind) ? PPROF_ENDPOINTS[kind as Endpoint] : null;

/** What a user typed as an address. */
export interface TypedAddress {
  readonly url: string;
  /** Of basic authentication; null where none was typed. */
  readonly credentials: { readonly user: string; readonly password: string } | null;
}

/** `host:6060` is http. Null where it is not an address of a service. */
export function readTypedAddress(text: string): TypedAddress | null {
  const [, scheme = 'http://', userinfo, rest = ''] =
    /^(https?:\/\/)?(?:([^@/?#\s]*)@)?([^#\s]*)(?:#\S*)?$/i.exec(text.trim()) ?? [];
  const url = `${scheme.toLowerCase()}${rest}`;
  if (rest === '' || !PPROF_URL.test(url)) return null;
  if (userinfo === undefined || userinfo === '') return { url, credentials: null };
  const [, user = '', password = ''] = /^([^:]*):?(.*)$/.exec(userinfo)!;
  try {
    return { url, credentials: { user: decodeURIComponent(user), password: decodeURIComponent(password) } };
  } catch {
    return null;
  }
}

/** Whether the URL is that of one profile, rather than of a service or of a list of its profiles. */
export function namesProfile(url: string): boolean {
  const [, path = ''] = /^https?:\/\/[^/?]+([^?]*)/.exec(url) ?? [];
  return path !== '' && !path.endsWith('/') && !path.endsWith('/debug/pprof');
}
