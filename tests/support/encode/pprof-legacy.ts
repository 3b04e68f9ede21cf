/** Content of a profile of gperftools' CPU profiler. */
export interface CpuWords {
  readonly periodMicroseconds: number;
  /** Samples with their addresses leaf first. */
  readonly samples: readonly { readonly count: number; readonly addresses: readonly number[] }[];
  /** Text after the samples: a memory map, or Java's locations. */
  readonly text: string;
}

export interface CpuLayout {
  readonly bytesEach: 4 | 8;
  readonly isLittleEndian: boolean;
  readonly isJava?: boolean;
}

/** Source: https://gperftools.github.io/gperftools/cpuprofile-fileformat.html */
export function encodeCpuProfile({ periodMicroseconds, samples, text }: CpuWords, layout: CpuLayout): Uint8Array {
  const { bytesEach, isLittleEndian, isJava = false } = layout;
  const words = [
    0,
    3,
    isJava ? 1 : 0,
    periodMicroseconds,
    0,
    ...samples.flatMap(({ count, addresses }) => [count, addresses.length, ...addresses]),
    0,
    1,
    0,
  ];
  const view = new DataView(new ArrayBuffer(words.length * bytesEach));
  words.forEach((word, row) => {
    if (bytesEach === 4) view.setUint32(row * 4, word, isLittleEndian);
    else view.setBigUint64(row * 8, BigInt(word), isLittleEndian);
  });
  return Buffer.concat([Buffer.from(view.buffer), Buffer.from(text)]);
}
