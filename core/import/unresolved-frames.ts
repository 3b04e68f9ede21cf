import type { Diagnostic } from '../model/diagnostics.ts';
import { FunctionKind, type Profile } from '../model/profile.ts';

/** From this share on, flame graphs mislead. */
const WARNING_SHARE = 0.05;

/**
 * The profile with a diagnostic that says how many of its frames have no symbol, where some have none. `remedy`: where it is another one
 * than the module suggests; `ofBinary`: what helps as well, where most are in a binary.
 */
export function diagnoseUnresolved(profile: Profile, remedy?: string, ofBinary?: string): Profile {
  const { frames, functions } = profile;
  const hits = framesOfFunctions(profile);
  let all = 0;
  let unresolved = 0;
  let worst = 0;
  for (let func = 0; func < functions.length; func++) {
    all += hits[func]!;
    if (functions.kind[func] !== FunctionKind.unresolved) continue;
    unresolved += hits[func]!;
    if (hits[func]! > hits[worst]! || functions.kind[worst] !== FunctionKind.unresolved) worst = func;
  }
  if (unresolved === 0 || frames.length === 0) return profile;
  const share = ((unresolved / all) * 100).toFixed(1);
  const diagnostic: Diagnostic = {
    code: 'unresolved-frames',
    severity: unresolved / all >= WARNING_SHARE ? 'warning' : 'info',
    message: `${share} % of all frames have no symbol; most of them are in ${profile.strings[functions.name[worst]!]}.`,
    count: unresolved,
    first: null,
    remedy: remedy ?? remedyFor(profile.strings[functions.module[worst]!]!, ofBinary),
  };
  return { ...profile, diagnostics: [...profile.diagnostics, diagnostic] };
}

/** By function: in how many frames of all samples it is. */
function framesOfFunctions({ stacks, frames, functions, samples }: Profile): Float64Array {
  const samplesThrough = new Int32Array(stacks.length);
  for (let row = 0; row < samples.length; row++) {
    const stack = samples.stack[row]!;
    if (stack >= 0) samplesThrough[stack]! += 1;
  }
  const hits = new Float64Array(functions.length);
  for (let row = stacks.length - 1; row >= 0; row--) {
    const count = samplesThrough[row]!;
    hits[frames.func[stacks.frame[row]!]!]! += count;
    const parent = stacks.parent[row]!;
    if (parent >= 0) samplesThrough[parent]! += count;
  }
  return hits;
}

function remedyFor(module: string, ofBinary?: string): string {
  if (module.startsWith('[kernel')) {
    return 'Let perf read the kernel symbols: as root, sysctl kernel.kptr_restrict=0 while recording.';
  }
  if (module === '' || module.startsWith('//anon') || /^\[(?:JIT|anon)|perf-\d+\.map$/.test(module)) {
    return 'Build with frame pointers or record with --call-graph dwarf; let a JIT write its symbols (node --perf-basic-prof).';
  }
  const install = `Install the debug symbols of ${module}, or build it without stripping, before perf script runs.`;
  return ofBinary === undefined ? install : `${install} ${ofBinary}`;
}
