import type { FrameIndex } from '../../model/brand.ts';
import { demangle } from '../../symbols/demangle/demangle.ts';
import type { ProfileBuilder } from '../../model/profile-builder.ts';
import { FunctionKind } from '../../model/profile.ts';
import { kindOfModule, unresolvedFunction } from '../../symbols/perf-modules.ts';

/** `0x10916D: main (test.c:5)`, `0x48417B4: malloc (in /usr/lib/libc.so.6)`; Rust's DHAT also writes columns. */
const FRAME = /^0x([0-9A-Fa-f]{1,16}): (.*) \((in )?([^()]*)\)$/;
const BARE = /^0x([0-9A-Fa-f]{1,16}): (.*)$/;
const PLACE = /^(.*?):(\d{1,9})(?::\d+)?$/;

/** Adds a frame as valgrind's heap profilers print it; other text is used as a name. */
export function addValgrindFrame(builder: ProfileBuilder, text: string): FrameIndex {
  const [, digits, called = '', isModule, place = ''] = FRAME.exec(text) ?? BARE.exec(text) ?? [];
  if (digits === undefined)
    return builder.frame({ func: builder.function({ name: text, kind: FunctionKind.synthetic }) });
  const address = BigInt(`0x${digits}`);
  const module = isModule === undefined ? '' : place;
  if (called === '???') {
    const unresolved = unresolvedFunction(module);
    return builder.frame({ func: builder.function(unresolved), address });
  }
  const [, file = place, line = '0'] = PLACE.exec(place) ?? [];
  const name = demangle(called) ?? called;
  const where = module === '' ? { file, kind: FunctionKind.user } : { module, kind: kindOfModule(module) };
  return builder.frame({ func: builder.function({ name, ...where }), address, line: module === '' ? Number(line) : 0 });
}
