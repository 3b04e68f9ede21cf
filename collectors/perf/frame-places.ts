import { HASH_SIGN, NEWLINE } from '#core/import/perf-script/bytes.ts';
import { FrameLine } from '#core/import/perf-script/frame-line.ts';
import { joinBytes } from '#core/model/join-bytes.ts';

/** A frame of a sample in the text of `perf script` that is in a binary's own code. */
export interface BinaryFrame {
  /** A path. */
  readonly module: string;
  /**
   * Offset in the module's file, which is what perf prints for addresses outside the kernel (map__map_ip in
   * tools/perf/util/evsel_fprintf.c).
   */
  readonly offset: number;
  /** The sample was taken here; in a caller, the address is that of the instruction after the call. */
  readonly isLeaf: boolean;
}

/**
 * Receives lines of `perf script` text with the fields of `scriptArgv`. `line` excludes the line end; both are valid
 * until the next call.
 */
type OnLine = (line: Uint8Array, frame: BinaryFrame | null) => void;

const SLASH = 0x2f;

/** Splits text into lines and parses the ones that are frames. */
export function readFrameLines(onLine: OnLine): { push(chunk: Uint8Array): void; finish(): void } {
  const frame = new FrameLine();
  const modules = new Map<string, string>();
  const latin1 = new TextDecoder('latin1');
  const utf8 = new TextDecoder();
  let pending: Uint8Array = new Uint8Array();
  let inSample = false;
  let isLeaf = false;

  function place(line: Uint8Array): BinaryFrame | null {
    if (!frame.parse(line, 0, line.length) || frame.inlined || line[frame.moduleStart] !== SLASH) return null;
    // No file is larger than 2^53 bytes.
    if (frame.addressHigh >= 2 ** 21) return null;
    const bytes = line.subarray(frame.moduleStart, frame.moduleEnd);
    const key = latin1.decode(bytes);
    let module = modules.get(key);
    if (module === undefined) {
      module = utf8.decode(bytes);
      modules.set(key, module);
    }
    return { module, offset: frame.addressHigh * 2 ** 32 + frame.addressLow, isLeaf };
  }

  function read(line: Uint8Array): void {
    if (line.length === 0 || (!inSample && line[0] === HASH_SIGN)) {
      inSample = false;
      onLine(line, null);
    } else if (inSample) {
      const found = place(line);
      isLeaf = false;
      onLine(line, found);
    } else {
      inSample = true;
      isLeaf = true;
      onLine(line, null);
    }
  }

  return {
    push(chunk) {
      const data = pending.length === 0 ? chunk : joinBytes([pending, chunk]);
      let start = 0;
      for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, start)) {
        read(data.subarray(start, end));
        start = end + 1;
      }
      pending = data.slice(start);
    },
    finish() {
      if (pending.length > 0) read(pending);
      pending = new Uint8Array();
    },
  };
}
