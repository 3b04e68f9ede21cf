// Runs in the profiled process, started through its inspector: samples with an in-process session, so that the
// inspector's port need not stay open. Ends itself when `seconds` are over or the process `guard` has ended.
// oxlint-disable-next-line no-unused-vars -- plan.ts calls it in the expression that it sends
function sampleWithin({ key, seconds, guard, profile, intervalUs, closes }) {
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
  const close = () => {
    if (closes)
      setTimeout(
        safely(() => inspector.close()),
        50,
      ).unref();
  };
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
  const begin = {
    cpu: [
      ['Profiler.enable'],
      ['Profiler.setSamplingInterval', { interval: intervalUs }],
      ['Profiler.start'],
      ...(renews ? renewal : []),
    ],
    heap: [['HeapProfiler.enable'], ['HeapProfiler.startSampling', { samplingInterval: 32768 }]],
    async: [],
    none: [],
  }[profile];
  const end = { cpu: 'Profiler.stop', heap: 'HeapProfiler.stopSampling' }[profile];

  const workers = new Map();
  const END_ID = begin.length;
  let lostWorkers = 0;
  const tell = (sessionId, id, [method, params]) =>
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id, method, params }) });
  session.on(
    'NodeWorker.attachedToWorker',
    safely(({ params: { sessionId, workerInfo } }) => {
      workers.set(sessionId, { title: workerInfo.title, url: workerInfo.url, answered: () => undefined });
      for (const [id, message] of begin.entries()) tell(sessionId, id, message);
    }),
  );
  session.on(
    'NodeWorker.receivedMessageFromWorker',
    safely(({ params: { sessionId, message } }) => {
      const { id, result } = JSON.parse(message);
      if (id === END_ID) workers.get(sessionId)?.answered(result?.profile ?? null);
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
    if (end !== undefined) session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  } catch (error) {
    session.disconnect();
    close();
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
  let each = [];
  const done = (threads) => {
    const about = {
      pid: process.pid,
      node: process.version,
      profile,
      intervalUs,
      renews,
      problems,
      lostWorkers,
      threads,
      readings,
    };
    clear();
    close();
    // The main thread's profile comes first, so that other programs open the file, too.
    return JSON.stringify({ ...main, flamebench: about });
  };
  // Returns null while worker threads have not answered: then `taken` waits for them, which a blocked loop
  // can't.
  const take = () => {
    if (hook !== null) {
      clear();
      close();
      if (problems > 0) creations.set('(stack unknown)', problems);
      return [...creations].map(([stack, times]) => `${stack} ${times}\n`).join('');
    }
    main = post(end).profile;
    read();
    if (workers.size === 0) return done([]);
    each = [...workers].map(
      ([sessionId, worker]) =>
        new Promise((resolve) => {
          const late = setTimeout(() => resolve(null), 3000);
          worker.answered = (found) => {
            clearTimeout(late);
            resolve(found && { title: worker.title, url: worker.url, profile: found });
          };
          tell(sessionId, END_ID, [end]);
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
    close();
    return JSON.stringify({ now: micros(), readings: readings.splice(0) });
  };
  const drop = () => {
    clear();
    close();
  };
  const value = { take, taken, peek, drop };
  Object.defineProperty(globalThis, place, { configurable: true, enumerable: false, value });
  close();
  hook?.enable();
  return process.version;
}
