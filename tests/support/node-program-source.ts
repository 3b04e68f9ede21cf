/** A program whose function `hot` takes nine tenths of its time, called by `work`, which V8 inlines it into. */
export const HOT_PROGRAM = `
function hot(n) { let s = 0; for (let i = 0; i < n; i++) s = (s + i * i) % 1000003; return s; }
function cold(n) { let s = 0; for (let i = 0; i < n; i++) s = (s ^ i) + (s >>> 3); return s; }
function work() { return hot(900000) + cold(300000); }
let sum = 0;
function turn() { const end = Date.now() + 20; while (Date.now() < end) sum += work(); setImmediate(turn); }
turn();`;

/** A program that waits. */
export const IDLE_PROGRAM = 'setInterval(() => {}, 1000);';
