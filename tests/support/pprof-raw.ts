import type { Profile } from '#core/model/profile.ts';

/**
 * Writes one text per sample: its values, then a line per frame, leaf first, as `address function file:line s=start`.
 */
export function rawSamples(profile: Profile): string[] {
  const { frames, functions, stacks, samples, strings } = profile;
  return Array.from({ length: samples.length }, (_, row) => {
    const parts = [samples.weights.map((column) => BigInt(column[row]!)).join(' ')];
    for (let stack = samples.stack[row]!; stack >= 0; stack = stacks.parent[stack]!) {
      const frame = stacks.frame[stack]!;
      const func = frames.func[frame]!;
      const address = frames.address?.[frame] ?? 0n;
      const hex = address === 0xffff_ffff_ffff_ffffn ? '0x0' : `0x${address.toString(16)}`;
      const named = functions.kind[func] !== 5;
      parts.push(
        named
          ? `${hex} ${strings[functions.name[func]!]} ${strings[functions.file[func]!]}:${frames.line?.[frame] ?? 0} s=${functions.line[func]}`
          : hex,
      );
    }
    return parts.join('\n');
  });
}

/** Parses the samples of `pprof -raw` into the form of {@link rawSamples}. */
export function parseRaw(raw: string): string[] {
  const [, body = ''] = raw.split('Samples:\n');
  const [samplesText = '', rest = ''] = body.split('\nLocations\n');
  const [locationsText = ''] = rest.split('\nMappings');
  const locations = new Map<string, string[]>();
  let current: string[] = [];
  let address = '';
  for (const line of locationsText.split('\n')) {
    const head = /^ *(\d+): (0x[0-9a-f]+) (?:M=\d+ )?(?:\[F\] )?(.*)$/.exec(line);
    if (head !== null) {
      current = [];
      address = head[2]!;
      locations.set(head[1]!, current);
    }
    const text = head === null ? line.trim() : head[3]!;
    const named = /^(.*) (\S*):(\d+):\d+ s=(\d+)(?:\(.*\))?$/.exec(text);
    current.push(
      named === null || named[1] === '' ? address : `${address} ${named[1]} ${named[2]}:${named[3]} s=${named[4]}`,
    );
  }
  return samplesText
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const match = /^ *((?:-?\d+ *)+):((?: \d+)*) *$/.exec(line);
      if (match === null) return [];
      const ids = match[2]!
        .trim()
        .split(' ')
        .filter((id) => id !== '');
      return [[match[1]!.trim().split(/ +/).join(' '), ...ids.flatMap((id) => locations.get(id)!)].join('\n')];
    });
}
