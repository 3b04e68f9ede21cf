// Runs in the profiled process, started through its inspector: samples with an in-process session, so that the
// inspector's port need not stay open. Ends itself when `seconds` are over or the process `guard` has ended.
// oxlint-disable-next-line no-unused-vars -- plan.ts calls it in the expression that it sends
function sampleWithin({ key, seconds, guard, profile, intervalUs, withHeap, sourceMaps }) {
  const load = (name) => (process.getBuiltinModule === undefined ? require(name) : process.getBuiltinModule(name));
  const inspector = load('node:inspector');
  const { monitorEventLoopDelay, performance } = load('node:perf_hooks');
  const kill = process.kill.bind(process);
  const place = Symbol.for(key);
  const RESOLUTION_MS = 10;
  const MAX_READINGS = 4000;

  // An error in a callback would end the process.
  const safely =
    (callback) =>
    (...given) => {
      try {
        callback(...given);
      } catch {
        problems += 1;
      }
    };
  let problems = 0;
  const session = new inspector.Session();
  session.connect();
  const post = (method, params) => {
    let answer;
    session.post(method, params, (error, result) => {
      if (error) throw new Error(`${method}: ${error.message}`);
      answer = result;
    });
    return answer;
  };
  // Functions that were inlined before the profiler ran have their callers' time. Starting precise coverage discards
  // optimised code, whose replacement knows what was inlined. Not if the program collects coverage itself.
  const renews = process.env.NODE_V8_COVERAGE === undefined;
  const renewal = [
    ['Profiler.startPreciseCoverage', { callCount: true, detailed: true }],
    ['Profiler.stopPreciseCoverage'],
  ];
  const beginHeap = [['HeapProfiler.enable'], ['HeapProfiler.startSampling', { samplingInterval: 32768 }]];
  const begin = {
    cpu: [
      ...(withHeap ? beginHeap : []),
      ['Profiler.enable'],
      ['Profiler.setSamplingInterval', { interval: intervalUs }],
      ['Profiler.start'],
      ...(renews ? renewal : []),
    ],
    heap: beginHeap,
    async: [],
    none: [],
  }[profile];
  // Reading the heap's samples collects garbage, so the time ends before.
  const ends = {
    cpu: ['Profiler.stop', ...(withHeap ? ['HeapProfiler.stopSampling'] : [])],
    heap: ['HeapProfiler.stopSampling'],
    async: [],
    none: [],
  }[profile];

  const workers = new Map();
  const END_ID = begin.length;
  const TID_ID = END_ID + ends.length;
  // `/proc/thread-self` is `PID/task/TID` for the thread that reads it.
  const TID = "Number(process.getBuiltinModule('node:fs').readlinkSync('/proc/thread-self').split('/')[2])";
  let lostWorkers = 0;
  const tell = (sessionId, id, [method, params]) =>
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id, method, params }) });
  session.on(
    'NodeWorker.attachedToWorker',
    safely(({ params: { sessionId, workerInfo } }) => {
      const { title, url } = workerInfo;
      workers.set(sessionId, { title, url, tid: -1, profiles: [], answered: () => undefined });
      for (const [id, message] of begin.entries()) tell(sessionId, id, message);
      tell(sessionId, TID_ID, ['Runtime.evaluate', { expression: TID }]);
    }),
  );
  session.on(
    'NodeWorker.receivedMessageFromWorker',
    safely(({ params: { sessionId, message } }) => {
      const { id, result } = JSON.parse(message);
      if (id === TID_ID && workers.has(sessionId)) workers.get(sessionId).tid = Number(result?.result?.value ?? -1);
      const worker = workers.get(sessionId);
      if (worker === undefined || id < END_ID || id >= TID_ID) return;
      worker.profiles.push(result?.profile ?? null);
      if (worker.profiles.length === ends.length) worker.answered(worker.profiles);
    }),
  );
  session.on(
    'NodeWorker.detachedFromWorker',
    safely(({ params: { sessionId } }) => {
      if (workers.delete(sessionId)) lostWorkers += 1;
    }),
  );
  try {
    for (const [method, params] of begin) post(method, params);
    if (ends.length > 0) session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  } catch (error) {
    session.disconnect();
    throw error;
  }

  const creations = new Map();
  const MAX_STACKS = 20_000;
  const OTHER = '(other stacks)';
  const frameOf = (site) =>
    `${site.getFunctionName() ?? '(anonymous)'} (${site.getFileName() ?? 'native'}:${site.getLineNumber() ?? 0})`.replaceAll(
      /[;\n\r]/g,
      ',',
    );
  const fold = (_error, sites) =>
    sites
      .filter((site) => !/^node:(?:internal|async_hooks)/.test(site.getFileName() ?? ''))
      .map(frameOf)
      .reverse();
  const stackOf = () => {
    const { stackTraceLimit } = Error;
    const prepareStackTrace = Reflect.get(Error, 'prepareStackTrace');
    const holder = {};
    try {
      Error.prepareStackTrace = fold;
      Error.stackTraceLimit = 64;
      Error.captureStackTrace(holder, count);
      return holder.stack;
    } finally {
      Error.prepareStackTrace = prepareStackTrace;
      Error.stackTraceLimit = stackTraceLimit;
    }
  };
  let isCounting = false;
  const count = safely((_id, type) => {
    // An evaluation may interrupt this callback: what it creates is the agent's own, and V8 formats no nested stack.
    if (isCounting) return;
    isCounting = true;
    try {
      const stack = stackOf();
      if (Array.isArray(stack) && stack.some((frame) => frame.startsWith('closeInspector ('))) return;
      const key = [...(Array.isArray(stack) ? stack : ['(stack unknown)']), type].join(';');
      const kept = creations.size < MAX_STACKS || creations.has(key) ? key : `${OTHER};${type}`;
      creations.set(kept, (creations.get(kept) ?? 0) + 1);
    } finally {
      isCounting = false;
    }
  });
  const hook = profile === 'async' ? load('node:async_hooks').createHook({ init: count }) : null;

  const micros = () => Number(process.hrtime.bigint() / 1000n);
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let used = performance.eventLoopUtilization();
  const readings = [];
  let next = 0;
  const ms = (nanoseconds) => Math.max(0, Math.round(nanoseconds / 1e4 - RESOLUTION_MS * 100) / 100);
  const read = () => {
    const at = micros();
    const reading = { at, count: delay.count, p50: 0, p99: 0, max: 0, utilisation: 0, resources: null };
    if (delay.count > 0) {
      reading.p50 = ms(delay.percentile(50));
      reading.p99 = ms(delay.percentile(99));
      reading.max = ms(delay.max);
    }
    delay.reset();
    const now = performance.eventLoopUtilization();
    reading.utilisation = performance.eventLoopUtilization(now, used).utilization;
    used = now;
    if (at >= next) {
      reading.resources = {};
      for (const type of process.getActiveResourcesInfo()) reading.resources[type] = (reading.resources[type] ?? 0) + 1;
      // Thousands of pending requests take long to list: it may use a fiftieth of the time.
      next = at + (micros() - at) * 50;
    }
    if (readings.length < MAX_READINGS) readings.push(reading);
  };
  const clear = () => {
    hook?.disable();
    clearInterval(timer);
    delay.disable();
    session.disconnect();
    delete globalThis[place];
  };
  let until = micros() + seconds * 1e6;
  const isWatched = () => {
    if (guard === null) return true;
    try {
      kill(guard, 0);
      return true;
    } catch (error) {
      return error.code !== 'ESRCH';
    }
  };
  const timer = setInterval(
    safely(() => {
      if (micros() > until || !isWatched()) clear();
      else read();
    }),
    1000,
  );
  timer.unref();

  let main = {};
  let heap;
  let each = [];
  // Reads the source map of each script, as the process may, and only regular files: nothing that a map names.
  const MAX_MAP_BYTES = 32 << 20;
  const readMaps = (profiles) => {
    const { openSync, fstatSync, readFileSync, closeSync, constants } = load('node:fs');
    const { fileURLToPath, pathToFileURL } = load('node:url');
    let left = 4 * MAX_MAP_BYTES;
    const readText = (url) => {
      if (url.protocol !== 'file:') return null;
      let file = null;
      try {
        file = openSync(fileURLToPath(url), constants.O_RDONLY | constants.O_NONBLOCK);
        const facts = fstatSync(file);
        if (!facts.isFile() || facts.size === 0 || facts.size > Math.min(left, MAX_MAP_BYTES)) return null;
        left -= facts.size;
        return readFileSync(file, 'utf8');
      } catch {
        return null;
      } finally {
        if (file !== null) closeSync(file);
      }
    };
    const urls = new Set();
    for (const { nodes = [], head } of profiles.filter(Boolean)) {
      const waiting = head === undefined ? [...nodes] : [head];
      for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
        urls.add(node.callFrame.url);
        if (head !== undefined) waiting.push(...(node.children ?? []));
      }
    }
    const scripts = [...urls].filter((url) => /^(?:file:|\/)/.test(url)).slice(0, 2000);
    return scripts.map((url) => {
      const script = url.startsWith('/') ? pathToFileURL(url) : new URL(url);
      const text = readText(script);
      if (text === null) return { url, map: null, isNamed: false };
      const named = /^sourceMappingURL=(\S+)\s*$/.exec(text.slice(text.lastIndexOf('sourceMappingURL=')))?.[1];
      if (named === undefined) return { url, map: readText(new URL(`${script.href}.map`)), isNamed: false };
      if (named.startsWith('data:')) return { url, map: named, isNamed: true };
      try {
        return { url, map: readText(new URL(named, script)), isNamed: true };
      } catch {
        return { url, map: null, isNamed: true };
      }
    });
  };
  const done = (threads) => {
    const about = {
      pid: process.pid,
      node: process.version,
      profile,
      intervalUs,
      renews,
      problems,
      lostWorkers,
      heap,
      threads,
      readings,
      ...(sourceMaps
        ? { maps: readMaps([main, heap, ...threads.flatMap((thread) => [thread.profile, thread.heap])]) }
        : {}),
    };
    clear();
    // The main thread's profile comes first, so that other programs open the file, too.
    return JSON.stringify({ ...main, flamebench: about });
  };
  // Returns null while worker threads have not answered: then `taken` waits for them, which a blocked loop
  // can't.
  const take = () => {
    if (hook !== null) {
      clear();
      if (problems > 0) creations.set('(stack unknown)', problems);
      return [...creations].map(([stack, times]) => `${stack} ${times}\n`).join('');
    }
    [main, heap] = ends.map((method) => post(method).profile);
    read();
    if (workers.size === 0) return done([]);
    each = [...workers].map(
      ([sessionId, worker]) =>
        new Promise((resolve) => {
          const late = setTimeout(() => resolve(null), 3000);
          worker.answered = ([found, inUse]) => {
            clearTimeout(late);
            const { title, url, tid } = worker;
            resolve(found && { title, url, tid, profile: found, heap: inUse });
          };
          for (const [at, method] of ends.entries()) tell(sessionId, END_ID + at, [method]);
        }),
    );
    return null;
  };
  const taken = async () => {
    const threads = (await Promise.all(each)).filter((one) => one !== null);
    lostWorkers += each.length - threads.length;
    return done(threads);
  };
  // Returns the readings since the last call, and goes on.
  const peek = () => {
    until = micros() + seconds * 1e6;
    return JSON.stringify({ now: micros(), readings: readings.splice(0) });
  };
  const drop = () => {
    clear();
  };
  const value = { take, taken, peek, drop };
  Object.defineProperty(globalThis, place, { configurable: true, enumerable: false, value });
  hook?.enable();
  return process.version;
}
