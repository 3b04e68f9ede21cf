import type { SymbolSource, SymbolTable } from '#core/symbols/symbols.ts';
import type { PprofOptions } from '#core/contract/pprof.ts';
import type { ForwardedPort } from '../target/target.ts';
import { fetchText, type FetchLimits } from '../fetch/http-fetch.ts';

/** Names of a large program's functions take some megabytes. */
const MAX_ANSWER_BYTES = 64 << 20;
/** gperftools reads a request of at most 1 MiB; an address with its separator takes 19 bytes. */
const BATCH = 20_000;
/** `0x401136\tmain`; a function without a name is reported as its address. */
const LINE = /^\s*0x([0-9a-f]{1,16})\s+(\S.*?)\s*$/i;

interface ServiceSymbolsRequest {
  /** `…/pprof/symbol` */
  readonly url: string;
  readonly options: Pick<PprofOptions, 'headers' | 'tls'>;
  readonly via?: ForwardedPort['address'];
  readonly signal: AbortSignal;
  readonly limits?: FetchLimits;
}

/**
 * Resolves addresses with the program itself: gperftools' `/pprof/symbol`, which takes them as `0x1+0x2`. Rejects if
 * the service refuses.
 */
export function createServiceSymbols(request: ServiceSymbolsRequest): SymbolSource {
  return async ({ kind, addresses = [] }) => {
    if (kind !== 'program' || addresses.length === 0) return null;
    const names = new Map<bigint, string>();
    for (let at = 0; at < addresses.length; at += BATCH) {
      const body = addresses
        .slice(at, at + BATCH)
        .map((address) => `0x${address.toString(16)}`)
        .join('+');
      readNames(await fetchText({ ...request, body }, MAX_ANSWER_BYTES), names);
    }
    const table: SymbolTable = { nameAt: (address) => names.get(address) ?? null };
    return names.size === 0 ? null : table;
  };
}

function readNames(text: string, names: Map<bigint, string>): void {
  for (const line of text.split('\n')) {
    const [, digits = '', name = ''] = LINE.exec(line) ?? [];
    if (name !== '' && !/^0x[0-9a-f]+$/i.test(name)) names.set(BigInt(`0x${digits}`), name);
  }
}
