import { unsupported, type ImportFailure } from '../../model/failure.ts';

/** Archives, by the names of the files in them. The first match wins. */
const ARCHIVES: readonly { readonly what: string; readonly remedy: string; readonly has: RegExp }[] = [
  {
    what: 'perfcollect’s archive of a .NET program',
    remedy: 'unpack it and open perf.data.txt in it',
    has: /(?:^|\/)perf\.data\.txt$/,
  },
  {
    what: 'a zip archive of an LTTng trace (CTF), which no tool converts',
    remedy: 'record the program with `flamebench record` (perf) instead',
    has: /(?:^|\/)(?:lttngTrace\/|channel\d*_\d+$|perfcollect\.log$)/,
  },
  {
    what: 'a trace bundle of Instruments 10 or later, or one without form.template',
    remedy:
      'run `xcrun xctrace export --input FILE.trace --xpath \'/trace-toc/run/data/table[@schema="time-profile"]\' > FILE.xml` and open that',
    has: /\.trace\/(?:.*\/)?(?:form\.template|instrument_data\/|corespace\/|Trace\d*\.run|UI_state_metadata\.bin|open\.creq)/,
  },
  {
    what: 'a zip archive with an event trace of Windows (ETL)',
    remedy: 'unpack it, open the trace in PerfView and save its CPU stacks as speedscope (*File*, *Save View As*)',
    has: /\.etlx?$/i,
  },
  {
    what: 'a Java archive, not a profile',
    remedy: 'record the program with `jcmd PID JFR.start settings=profile filename=FILE.jfr`',
    has: /^META-INF\//,
  },
];

const MAX_NAMES = 3;

/** Explains why a zip archive with these files is refused, with the remedy. */
export function nameArchive(names: readonly string[]): ImportFailure {
  const known = ARCHIVES.find(({ has }) => names.some((name) => has.test(name)));
  if (known !== undefined) return unsupported(`${known.what}; ${known.remedy}`, { byte: 0 });
  const files = names.filter((name) => !name.endsWith('/'));
  const shown = files.slice(0, MAX_NAMES).map((name) => JSON.stringify(name.slice(0, 80)));
  const more = files.length > MAX_NAMES ? ', …' : '';
  const content = shown.length === 0 ? '' : ` with ${shown.join(', ')}${more}`;
  return unsupported(`a zip archive${content}; unpack it and open the profile in it`, { byte: 0 });
}

const [LOCAL_BYTES, LOCAL, NAME_LENGTH] = [30, 'PK\x03\x04', 26] as const;

/** Returns the names of the files whose local headers (APPNOTE.TXT 6.3.10, 4.3.7) are in the first bytes of an archive. */
export function namesInHead(bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const names: string[] = [];
  for (let at = 0; at + LOCAL_BYTES <= bytes.length; at++) {
    if (bytes[at] !== 0x50 || String.fromCharCode(...bytes.subarray(at, at + 4)) !== LOCAL) continue;
    const start = at + LOCAL_BYTES;
    const name = bytes.subarray(start, start + view.getUint16(at + NAME_LENGTH, true));
    names.push(new TextDecoder().decode(name));
  }
  return names;
}
