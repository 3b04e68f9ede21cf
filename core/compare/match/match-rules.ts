/** Removes from functions' names a difference that builds, runs or tools may introduce, before names are matched. */
export interface MatchRule {
  /** Stable kebab-case id. */
  readonly id: string;
  readonly label: string;
  /** Example of its effect: `name → name`. */
  readonly example: string;
  /** Changes functions' names; absent if the rule leaves them alone. */
  readonly name?: (name: string) => string;
  /** Changes modules' names; absent if the rule leaves them alone. */
  readonly module?: (module: string) => string;
}

/** Longer names are matched unchanged, because rules scan every position of a name. */
const MAX_LENGTH = 8192;

/** The built-in rules, in the order in which they apply. */
export const MATCH_RULES: readonly MatchRule[] = [
  {
    id: 'addresses',
    label: 'Addresses',
    example: 'f+0x1c → f, 0x7f3a → 0x..., perf-812.map → perf-….map',
    name: (name) =>
      name
        .replace(/\+0x[0-9a-f]+$/i, '')
        .replace(/\b0x[0-9a-f]+/gi, '0x...')
        // Code without a symbol is named after its module.
        .replace(/^\[perf-\d+\.map\]$/, '[perf-….map]')
        .replace(/^\[jitted-\d+-\d+\.so\]$/, '[jitted-….so]'),
    module: (module) =>
      module
        .replace(/\bperf-\d+\.map$/, 'perf-….map')
        // How perf report shortens the name of that map, and what perf inject writes.
        .replace(/^\[JIT\] tid \d+$/, '[JIT]')
        .replace(/\bjitted-\d+-\d+\.so$/, 'jitted-….so')
        .replace(/ ?\(deleted\)$/, ''),
  },
  {
    id: 'module-paths',
    label: 'Folders and versions of modules',
    example: '/opt/build-7/libz.so.1.3 → libz.so',
    module: (module) =>
      module.startsWith('[') ? module : module.slice(module.search(/[^/\\]*$/)).replace(/(\.so)(?:\.\d+)+$/, '$1'),
  },
  {
    id: 'go-closures',
    label: "Go's closure numbers",
    example: 'main.run.func2.1 → main.run.func…',
    // cmd/compile numbers closures in the order of the source; range-over-func bodies end in -rangeN.
    name: (name) =>
      name.replace(
        /\.(func|gowrap|deferwrap)\d+(?:-range\d+)?(?:\.(?:\d+|(?:func|gowrap|deferwrap)\d+(?:-range\d+)?))*$/,
        '.$1…',
      ),
  },
  {
    id: 'go-generics',
    label: "Go's generics shapes",
    example: 'slices.Sort[go.shape.int_0] → slices.Sort[…]',
    name: (name) => (name.includes('[go.shape.') ? replaceShapes(name) : name.replaceAll('[...]', '[…]')),
  },
  {
    id: 'compiler-clones',
    label: "Compilers' copies of functions",
    example: 'f.isra.0, f.part.1, f.constprop.0, f.cold → f',
    name: (name) =>
      name
        .replace(/ \[clone [^\]]*\]/g, '')
        .replace(/(?:\.(?:isra|part|constprop|cold|lto_priv|llvm|localalias|clone|warm)(?:\.\d+)*)+$/, ''),
  },
  {
    id: 'rust-hashes',
    label: "Rust's hashes",
    example: 'core::ptr::drop::h0123456789abcdef → core::ptr::drop',
    name: (name) => name.replace(/::h[0-9a-f]{16}$/, '').replace(/\b(\w+)\[[0-9a-f]{12,16}\]/g, '$1'),
  },
  {
    id: 'js-lines',
    label: "JavaScript's lines and tiers",
    example: 'JS:*parse /app/a.js:12:3 → parse /app/a.js',
    // V8 marks the tier of compiled code: ~ interpreted, ^ baseline, + Maglev, * optimised.
    name: (name) =>
      name
        .replace(/^(?:JS|LazyCompile|Function|Script|Eval|InterpretedFunction):(?!:)[~^+*]?/, '')
        .replace(/(\.[cm]?[jt]sx?|\bnode:[\w/]+)(?::\d+){1,2}(?=\)?$)/, '$1'),
  },
  {
    id: 'jvm-classes',
    label: 'Classes that the JVM makes',
    example: 'App$$Lambda$75.0x00000008.run → App$$Lambda….run',
    // Numbered in order of creation or named by their addresses, which the first rule may have removed.
    name: (name) =>
      name
        .replace(
          /(\$\$Lambda|\bLambdaForm\$[A-Za-z]+)(?:\$\d+)?(?:[./+](?:0x\.\.\.|0x[0-9a-f]+|\d+))*(?=[.;:])/gi,
          '$1…',
        )
        .replace(/(\bGenerated(?:Method|Constructor|SerializationConstructor)Accessor|\$Proxy)\d+/g, '$1…')
        .replace(/(\$\$(?:Enhancer|FastClass)By\w+)\$\$[0-9a-f]+/g, '$1…'),
  },
  {
    id: 'lua-paths',
    label: "Lua's folders",
    example: '@/opt/app-7/lib/route.lua:31 → route.lua:31',
    name: (name) => name.replace(/(^|[\s(:])@?(?:[^\s:()@]*\/)?([^\s/:()@]+\.lua)(?=$|[\s:)])/g, '$1$2'),
  },
  {
    id: 'cxx-abi',
    label: "C++'s ABI tags and versions",
    example: 'f[abi:cxx11] → f, std::__1::sort → std::sort',
    name: (name) => name.replace(/\[abi:[^\]]*\]/g, '').replace(/\bstd::__(?:cxx11|\d+|ndk1)::/g, 'std::'),
  },
];

/** A user's rule: replaces every match in a function's name (`$1`: groups). */
export interface UserRule {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  readonly replacement: string;
}

/** Matches a function of the before side with one of the after side by their names, whatever their modules. */
export interface MatchPair {
  readonly before: string;
  readonly after: string;
}

/** Returns `OLD=NEW`, as `--match` takes it. */
export const pairText = ({ before, after }: MatchPair): string => `${before}=${after}`;

export interface MatchRules {
  /**
   * Ids of disabled rules; the ones that look at all functions or stacks at once are among `ALL_RULES` of
   * all-rules.ts.
   */
  readonly off: readonly string[];
  /** Applied after the built-in rules, in order. */
  readonly user: readonly UserRule[];
  /** Applied after the users' rules. Absent: none. */
  readonly pairs?: readonly MatchPair[];
  /** Functions match regardless of their modules. */
  readonly ignoreModules: boolean;
  /** Treats the recorded programs of the sides as one, however few functions they have in common. Absent: false. */
  readonly sameProgram?: boolean;
}

export const DEFAULT_MATCH_RULES: MatchRules = { off: [], user: [], ignoreModules: false };

/** Applies a rule to a name. If the result would be empty, the name stays unchanged. */
export function applyRule(change: ((text: string) => string) | undefined, text: string): string {
  if (change === undefined || text.length > MAX_LENGTH) return text;
  return change(text) || text;
}

/** Replaces each `[go.shape.…]` including nested brackets, which a regular expression can't match. */
function replaceShapes(name: string): string {
  let out = '';
  let at = 0;
  for (let start = name.indexOf('[go.shape.'); start >= 0; start = name.indexOf('[go.shape.', at)) {
    let depth = 0;
    let end = start;
    do {
      if (name[end] === '[') depth += 1;
      if (name[end] === ']') depth -= 1;
      end += 1;
    } while (depth > 0 && end < name.length);
    out += `${name.slice(at, start)}[…]`;
    at = end;
  }
  return out + name.slice(at);
}
