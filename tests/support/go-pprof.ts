import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Need } from './needing.ts';

const GO = ['/usr/local/go/bin/go', '/usr/lib/go/bin/go'].find((path) => existsSync(path)) ?? 'go';

/** `go tool pprof`. Newer versions of Go build it at its first use. */
export const goPprof: Need = {
  name: 'go tool pprof',
  present: () => {
    try {
      return pprofPath() !== '';
    } catch {
      return false;
    }
  },
};

const pprofPath = (): string => execFileSync(GO, ['tool', '-n', 'pprof'], { encoding: 'utf8' }).trim();

/**
 * Runs lists of commands at the prompt of one pprof process and returns what the last command of each list printed,
 * untrimmed.
 */
export function askPprof(args: readonly string[], reports: readonly (readonly string[])[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'flamebench-go-pprof-'));
  try {
    const out = (index: number): string => join(folder, `${index}.txt`);
    const lines = reports.flatMap((commands, index) => [
      'trim=false',
      ...commands.slice(0, -1),
      `${commands.at(-1)} > ${out(index)}`,
      ...RESET,
    ]);
    execFileSync(pprofPath(), ['-symbolize=none', ...args], {
      input: `${lines.join('\n')}\n`,
      stdio: ['pipe', 'ignore', 'pipe'],
      env: { ...process.env, HOME: folder, PPROF_TMPDIR: folder },
    });
    return reports.map((_, index) => (existsSync(out(index)) ? readFileSync(out(index), 'utf8') : ''));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const RESET = [
  'flat=true',
  'granularity=functions',
  'noinlines=false',
  ...['focus', 'show', 'show_from', 'tagfocus', 'tagignore', 'tagroot', 'tagleaf'].map((name) => `${name}=`),
];

const PROGRAM = `package main

import (
	"context"
	"os"
	"runtime"
	"runtime/pprof"
	"strconv"
	"time"
)

var sink uint32
var kept [][]byte
var inC = func() {}

func step(value uint32) uint32 { return value*1664525 + 1013904223 }

//go:noinline
func spin(rounds int) {
	for i := 0; i < rounds; i++ {
		sink = step(sink)
	}
}

//go:noinline
func recurse(depth int) {
	if depth > 0 {
		recurse(depth - 1)
	}
	spin(20000)
}

func work(side string, until time.Time) {
	for time.Now().Before(until) {
		for size := 64; size <= 16384; size *= 4 {
			labels := pprof.Labels("endpoint", "/v1/"+strconv.Itoa(size), "side", side)
			pprof.Do(context.Background(), labels, func(context.Context) {
				recurse(3)
				inC()
				if len(kept) < 4000 {
					kept = append(kept, make([]byte, size))
				}
			})
		}
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	runtime.MemProfileRate = 512
	for _, side := range []string{"before", "after"} {
		file, err := os.Create(os.Args[1] + "/" + side + ".cpu.pb.gz")
		check(err)
		check(pprof.StartCPUProfile(file))
		work(side, time.Now().Add(700*time.Millisecond))
		pprof.StopCPUProfile()
		check(file.Close())
		heap, err := os.Create(os.Args[1] + "/" + side + ".heap.pb.gz")
		check(err)
		runtime.GC()
		check(pprof.Lookup("heap").WriteTo(heap, 0))
		check(heap.Close())
	}
}
`;

/** C code that spends time itself, for a program with cgo. */
const C_CODE = `package main

// void c_spin(int n) { for (volatile int i = 0; i < n; i++); }
import "C"

func init() { inC = func() { C.c_spin(100000) } }
`;

/**
 * Builds and runs a Go program that writes `before` and `after` profiles (`.cpu.pb.gz`, `.heap.pb.gz`) with labels and
 * inlined calls to the folder. `flags` are passed to `go build`.
 */
export function profileGoProgram(
  folder: string,
  { flags = [], cgo = false }: { readonly flags?: readonly string[]; readonly cgo?: boolean } = {},
): void {
  writeFileSync(join(folder, 'main.go'), PROGRAM);
  if (cgo) writeFileSync(join(folder, 'c.go'), C_CODE);
  writeFileSync(join(folder, 'go.mod'), 'module fresh\n\ngo 1.21\n');
  execFileSync(GO, ['build', ...flags, '-o', 'fresh', '.'], { cwd: folder });
  execFileSync(join(folder, 'fresh'), [folder]);
}
