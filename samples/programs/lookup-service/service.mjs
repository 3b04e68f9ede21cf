// A web service that counts each request in StatsD, whose client resolves the daemon's name for each message. With
// `--cache`, the client remembers the address for a minute. `service.mjs --drive PORT` sends 400 requests a second.
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns';
import { createServer, get } from 'node:http';

const RATE = 400;
const STATSD = { host: 'localhost', port: 18_125 };
const CACHE_MS = 60_000;

const remembered = new Map();

function rememberedLookup(host, options, callback) {
  const known = remembered.get(host);
  if (known !== undefined && known.until > Date.now()) {
    process.nextTick(callback, null, known.address, known.family);
    return;
  }
  lookup(host, options, (error, address, family) => {
    if (error === null) remembered.set(host, { address, family, until: Date.now() + CACHE_MS });
    callback(error, address, family);
  });
}

function createStatsd({ cache }) {
  const socket = createSocket({ type: 'udp4', ...(cache ? { lookup: rememberedLookup } : {}) });
  socket.on('error', () => {});
  socket.unref();
  const sendMetric = (text) => socket.send(text, STATSD.port, STATSD.host, () => {});
  return { increment: (name) => sendMetric(`${name}:1|c`) };
}

function serve(statsd) {
  const handleOrder = (request, response) => {
    statsd.increment('orders.requests');
    response.end(JSON.stringify({ path: request.url, items: Array.from({ length: 50 }, (_, at) => at * at) }));
  };
  const server = createServer(handleOrder).listen(0, '127.0.0.1', () => console.log(server.address().port));
}

function drive(port) {
  let sent = 0;
  const start = performance.now();
  setInterval(() => {
    for (; sent < ((performance.now() - start) / 1000) * RATE; sent++)
      get({ host: '127.0.0.1', port, path: `/orders/${sent % 100}` }, (response) => response.resume()).on(
        'error',
        () => {},
      );
  }, 5);
}

const [mode, port] = process.argv.slice(2);
if (mode === '--drive') drive(Number(port));
else serve(createStatsd({ cache: mode === '--cache' }));
