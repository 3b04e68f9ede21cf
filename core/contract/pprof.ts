import * as z from 'zod';
import { pidScopeSchema } from './bpftrace.ts';

/** Endpoints of net/http/pprof, fgprof and gperftools: the path below the service's root and what it measures. */
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

/** No user or password, because URLs are displayed; they become a header. No fragment. */
const PPROF_URL = /^https?:\/\/(?:[A-Za-z0-9_][\w.-]*|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?:[/?][^\s#\\]*)?$/;

/** Returns whether a URL can be requested: ports end at 65535, IPv4 numbers at 255. */
export const isPprofUrl = (url: string): boolean => PPROF_URL.test(url) && URL.canParse(url);

const pemSchema = z
  .string()
  .max(100_000)
  .regex(/^\s*-----BEGIN [A-Z ]+-----/);

export const pprofOptionsSchema = z.object({
  collector: z.literal('pprof'),
  scope: z.discriminatedUnion('kind', [
    /** The service's root, its `/debug/pprof/`, or one profile, as reachable from the target. */
    z.object({
      kind: z.literal('url'),
      url: z.string().max(2000).refine(isPprofUrl),
      /** The URL itself is a profile, of any format. */
      exact: z.literal(true).exactOptional(),
    }),
    /** The process's listening ports are searched for the usual paths. */
    pidScopeSchema,
  ]),
  /** One capture each. If the URL is one profile, only that profile. */
  kinds: z.array(kindSchema).min(1).max(16),
  /** For kinds that take time, and for differences. */
  seconds: z.number().int().min(1).max(3600),
  /** Records the growth within `seconds` for kinds that count since the start of the program. */
  delta: z.boolean().exactOptional(),
  /** In addition to goroutines, records their states and waiting times as text (`debug=2`). */
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
  /** PEM. `ca` is the authority to trust instead of the system's. */
  tls: z
    .object({ certificate: pemSchema.exactOptional(), key: pemSchema.exactOptional(), ca: pemSchema.exactOptional() })
    .exactOptional(),
});
export type PprofOptions = z.infer<typeof pprofOptionsSchema>;

/** The parts of a URL: the root below which the endpoints are, and the endpoint if the URL names one. */
interface PprofAddress {
  /** Ends with `/`. */
  readonly root: string;
  readonly kind: string | null;
  /** Including its `?`; empty if there is none. */
  readonly query: string;
}

/** Throws unless {@link isPprofUrl}. */
export function readPprofUrl(url: string): PprofAddress {
  if (!isPprofUrl(url)) throw new RangeError('not a URL of a service');
  const [, origin = '', path = '', query = ''] = /^(https?:\/\/[^/?]+)([^?]*)(.*)$/.exec(url)!;
  for (const [kind, { path: known }] of Object.entries(PPROF_ENDPOINTS)) {
    if (path.endsWith(`/${known}`)) return { root: origin + path.slice(0, -known.length), kind, query };
  }
  const named = /^(.*\/)debug\/pprof(?:\/([\w.-]*))?$/.exec(path);
  if (named !== null) return { root: origin + named[1]!, kind: named[2] || null, query };
  return { root: `${origin}${path.replace(/\/*$/, '')}/`, kind: null, query };
}

export const endpointOf = (kind: string): (typeof PPROF_ENDPOINTS)[Endpoint] | null =>
  Object.hasOwn(PPROF_ENDPOINTS, kind) ? PPROF_ENDPOINTS[kind as Endpoint] : null;

/** An address typed by the user. */
interface TypedAddress {
  readonly url: string;
  /** For basic authentication; null if none was typed. */
  readonly credentials: { readonly user: string; readonly password: string } | null;
}

/** Parses an address; `host:6060` means http. Null if it is not an address of a service. */
export function readTypedAddress(text: string): TypedAddress | null {
  const [, scheme = 'http://', userinfo, rest = ''] =
    /^(https?:\/\/)?(?:([^@/?#\s]*)@)?([^#\s]*)(?:#\S*)?$/i.exec(text.trim()) ?? [];
  const url = `${scheme.toLowerCase()}${rest}`;
  if (rest === '' || !isPprofUrl(url)) return null;
  if (userinfo === undefined || userinfo === '') return { url, credentials: null };
  const [, user = '', password = ''] = /^([^:]*):?(.*)$/.exec(userinfo)!;
  try {
    return { url, credentials: { user: decodeURIComponent(user), password: decodeURIComponent(password) } };
  } catch {
    return null;
  }
}

/** Returns whether the URL is that of one profile, rather than of a service or of a list of its profiles. */
export function namesProfile(url: string): boolean {
  const [, path = ''] = /^https?:\/\/[^/?]+([^?]*)/.exec(url) ?? [];
  return path !== '' && !path.endsWith('/') && !path.endsWith('/debug/pprof');
}
