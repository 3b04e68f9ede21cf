// Runs in the profiled process: closes its inspector once every client has left. `inspector.close()` itself blocks the
// event loop until then, and a client whose link is cut never leaves.
// oxlint-disable-next-line no-unused-vars -- plan.ts calls it in the expression that it sends
function closeInspector() {
  const load = (name) => (process.getBuiltinModule === undefined ? require(name) : process.getBuiltinModule(name));
  const inspector = load('node:inspector');
  const { readFileSync } = load('node:fs');
  const TURN_MS = 50;
  /** Turns between two looks, so that they use about a fiftieth of the time: many connections make a long table. */
  const MAX_TURNS = 20;
  const SHARE = 50;
  const ESTABLISHED = '01';
  const hasClient = (url) => {
    const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
    const client = new RegExp(`^ *\\d+: [0-9A-F]+:${port} [0-9A-F]+:[0-9A-F]{4} ${ESTABLISHED} `, 'm');
    return ['tcp', 'tcp6'].some((name) => {
      try {
        return client.test(readFileSync(`/proc/self/net/${name}`, 'latin1'));
      } catch {
        return false;
      }
    });
  };
  let turns = 0;
  let next = 1;
  const timer = setInterval(() => {
    turns += 1;
    if (turns < next) return;
    const url = inspector.url();
    // Not `performance`, whose first use loads a module: the agent's expression might interrupt that.
    const begun = process.hrtime.bigint();
    if (url !== undefined && hasClient(url)) {
      const took = Number(process.hrtime.bigint() - begun) / 1e6;
      next = turns + Math.min(Math.ceil((took * SHARE) / TURN_MS), MAX_TURNS);
      return;
    }
    clearInterval(timer);
    inspector.close();
  }, TURN_MS);
  timer.unref();
}
