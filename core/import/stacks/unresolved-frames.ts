import { unresolvedByModule } from '../../model/capture-quality.ts';
import { nameOfUnresolved } from '../../symbols/perf-modules.ts';
import { formatShare } from '../../units/format.ts';
import { diagnostic } from '../../model/diagnostics.ts';
import { FunctionKind, type Profile } from '../../model/profile.ts';

/** Above this share, flame graphs are misleading. */
const WARNING_SHARE = 0.05;

/** Remedy of tools that run the program. */
export const BUILD_WITH_SYMBOLS = 'Install the debug symbols of the binaries, or build them with -g, before recording.';

/**
 * Returns the profile with a diagnostic that states the weight of its functions without a symbol, if there are any; the
 * share is the capture quality's. `remedy` replaces the one that the module suggests; `ofBinary` is an additional
 * remedy if most of them are in a binary.
 */
export function diagnoseUnresolved(profile: Profile, remedy?: string, ofBinary?: string): Profile {
  const found = unresolvedByModule(profile);
  const module = found.modules[0]?.module ?? unresolvedCaller(profile);
  if (module === null) return profile;
  const isOfCallers = found.modules.length === 0;
  const message = isOfCallers
    ? `Some callers have no symbol, such as those in ${nameOf(module)}; they have no self weight.`
    : `${formatShare(found.share, 1)} of the weight is in functions without a symbol, most of it in ${nameOf(module)}.`;
  const unresolved = diagnostic('unresolved-frames', message, {
    severity: found.share >= WARNING_SHARE ? 'warning' : 'info',
    count: Math.max(1, found.samples),
    remedy: remedy ?? remedyFor(module, ofBinary),
  });
  return { ...profile, diagnostics: [...profile.diagnostics, unresolved] };
}

/** `[libc.so.6]`; modules that are not files already have brackets. */
const nameOf = (module: string): string => (module.startsWith('[') ? module : nameOfUnresolved(module));

/** Returns the module of a function without a symbol on any stack; null if there is none. */
function unresolvedCaller({ stacks, frames, functions, strings }: Profile): string | null {
  for (let row = 0; row < stacks.length; row++) {
    const func = frames.func[stacks.frame[row]!]!;
    if (functions.kind[func] === FunctionKind.unresolved) return strings[functions.module[func]!]!;
  }
  return null;
}

function remedyFor(module: string, ofBinary?: string): string {
  if (module.startsWith('[kernel')) {
    return 'Let perf read the kernel symbols: as root, sysctl kernel.kptr_restrict=0 while recording.';
  }
  if (module === '[vdso]') {
    return 'Read the recording on the machine that made it, under the same kernel: the kernel itself contains the names.';
  }
  if (module === '' || module.startsWith('//anon') || /^\[(?:JIT|anon)|perf-\d+\.map$/.test(module)) {
    return 'Build with frame pointers or record with --call-graph dwarf; let a JIT write its symbols (node --perf-basic-prof).';
  }
  const install = `Install the debug symbols of ${module}, or build it without stripping, before perf script runs.`;
  return ofBinary === undefined ? install : `${install} ${ofBinary}`;
}
