import { LIVE_WINDOW_SECONDS } from '#core/contract/live-defaults.ts';
import { PPROF_ENDPOINTS, readTypedAddress, type PprofOptions } from '#core/contract/pprof.ts';
import type { Side } from '#core/contract/side.ts';
import { isRefusal, readProcess, readSeconds, readSides } from '../form-fields.ts';
import type { CommonFields, FieldRefusal, TargetSides } from '../form-fields.ts';

/** The fields of pprof, as typed. */
export interface PprofFields {
  readonly place: PprofOptions['scope']['kind'];
  readonly url: string;
  /** The URL of the after side, if two sides alternate. */
  readonly afterUrl: string;
  /** The processes whose ports the user allowed to probe; see {@link processKey}. */
  readonly probed: string;
  readonly kinds: readonly string[];
  /** Names of the program's own profiles, separated by spaces or commas. */
  readonly otherKinds: string;
  readonly delta: boolean;
  readonly goroutineStates: boolean;
  /** One header per line: `Name: value`. */
  readonly headers: string;
  /** PEM texts, read from the files that the user chose. */
  readonly tls: NonNullable<PprofOptions['tls']>;
}

export type PprofForm = CommonFields & PprofFields;

export const EMPTY_PPROF: PprofFields = {
  place: 'url',
  url: '',
  afterUrl: '',
  probed: '',
  kinds: ['cpu'],
  otherKinds: '',
  delta: false,
  goroutineStates: false,
  headers: '',
  tls: {},
};

/** Returns a key of the chosen processes of all targets; permission to probe ports applies to these only. */
export const processKey = ({ targets, processes }: CommonFields): string =>
  targets.map((target) => `${target} ${processes.get(target)?.pid} ${processes.get(target)?.startTicks}`).join('\n');

export function readPprofForm(form: PprofForm): TargetSides[] | FieldRefusal<PprofForm> {
  if (form.purpose.kind === 'in-turn' && form.place === 'pid')
    return { field: 'place', message: 'Alternating sides need two addresses.' };
  const common = readCommon(form);
  if (isRefusal<PprofForm>(common)) return common;
  const sides = readSides<PprofForm>(form, (target, side) => readSide(form, common, target, side));
  if (isRefusal<PprofForm>(sides) || form.place === 'url' || form.probed === processKey(form)) return sides;
  return {
    field: 'probed',
    message: 'Finds the address by asking the ports this process listens on for /debug/pprof/.',
  };
}

type Common = Omit<PprofOptions, 'scope'>;

function readSide(
  form: PprofForm,
  common: Common,
  target: string,
  side: Side | null,
): PprofOptions | FieldRefusal<PprofForm> {
  if (form.place === 'pid') {
    const scope = readProcess(form, target, side);
    return isRefusal<PprofForm>(scope) ? scope : { ...common, scope };
  }
  const field = side === 'after' ? 'afterUrl' : 'url';
  const typed = readTypedAddress(form[field]);
  if (typed === null) {
    const whose = side === null ? 'the service’s address' : `the ${side} address`;
    return { field, message: `Type ${whose}: http://HOST:PORT/, as the target sees it.` };
  }
  const headers = [...credentialsOf(typed.credentials), ...(common.headers ?? [])];
  return { ...common, scope: { kind: 'url', url: typed.url }, ...(headers.length === 0 ? {} : { headers }) };
}

function readCommon(form: PprofForm): Common | FieldRefusal<PprofForm> {
  const given = readSeconds(form);
  const seconds = given === null && form.purpose.kind === 'live' ? LIVE_WINDOW_SECONDS : given;
  if (seconds === null || seconds === undefined || !Number.isInteger(seconds) || seconds > 3600) {
    return { field: 'seconds', message: 'Invalid duration: give a whole number of seconds from 1 to 3,600.' };
  }
  const others = form.otherKinds.split(/[\s,]+/).filter((kind) => kind !== '');
  if (others.some((kind) => !/^[A-Za-z][\w.-]{0,63}$/.test(kind))) {
    return { field: 'otherKinds', message: 'Invalid custom profiles: give names separated by commas.' };
  }
  const kinds = [...new Set([...form.kinds, ...others])];
  if (kinds.length === 0 || kinds.length > 16) {
    return { field: 'kinds', message: 'Choose from 1 to 16 kinds of profile.' };
  }
  const headers = readHeaders(form.headers);
  if (headers === null) return { field: 'headers', message: 'Invalid header: give Name: value.' };
  return {
    collector: 'pprof',
    kinds,
    seconds,
    ...(form.delta ? { delta: true } : {}),
    ...(form.goroutineStates ? { goroutineStates: true } : {}),
    ...(headers.length === 0 ? {} : { headers }),
    ...(Object.keys(form.tls).length === 0 ? {} : { tls: form.tls }),
  };
}

type Headers = NonNullable<PprofOptions['headers']>;

function readHeaders(text: string): Headers | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const read = lines.map((line) => /^([\w!#$%&'*+.^`|~-]{1,100}):[ \t]*([\t\x20-\x7e]*)$/.exec(line.trim()));
  return read.some((match) => match === null) ? null : read.map((match) => ({ name: match![1]!, value: match![2]! }));
}

export function credentialsOf(credentials: { readonly user: string; readonly password: string } | null): Headers {
  if (credentials === null) return [];
  const bytes = new TextEncoder().encode(`${credentials.user}:${credentials.password}`);
  return [{ name: 'Authorization', value: `Basic ${btoa(String.fromCodePoint(...bytes))}` }];
}

/** Returns the fields for these options; the user must type secrets again. */
export function pprofFieldsOf(options: PprofOptions): Partial<PprofForm> {
  const { scope, kinds, seconds, delta, goroutineStates } = options;
  return {
    place: scope.kind,
    ...(scope.kind === 'url' ? { url: scope.url } : {}),
    kinds: kinds.filter((kind) => Object.hasOwn(PPROF_ENDPOINTS, kind)),
    otherKinds: kinds.filter((kind) => !Object.hasOwn(PPROF_ENDPOINTS, kind)).join(', '),
    seconds: String(seconds),
    delta: delta === true,
    goroutineStates: goroutineStates === true,
  };
}
