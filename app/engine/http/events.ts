import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { EVENTS_PROTOCOL, PATHS, type EngineEvent } from '#core/contract/contract.ts';
import { endConnection } from './connections.ts';
import { isSameOrigin, type HostNames } from './request-guard.ts';
import type { SessionTokens } from './session-tokens.ts';

/** The windows that listen, newest last. */
export interface EventHub {
  /** Answers an HTTP upgrade: a WebSocket for a page of ours with a session token, a refusal and false for anything else. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Called whenever a window has connected. */
  onWindow(listener: () => void): void;
  broadcast(event: EngineEvent): void;
  /** To the window that connected last; false where there is none. */
  sendToNewest(event: EngineEvent): boolean;
  close(): void;
}

/** Pages have nothing to say here. */
const MAX_FRAME_BYTES = 1024;
/** Beyond this a page has stopped reading; it will connect anew. */
const MAX_BUFFERED_BYTES = 4 << 20;
const PING_MS = 30_000;
const MAX_WINDOWS = 64;

export function createEventHub(tokens: SessionTokens, hosts: HostNames): EventHub {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    handleProtocols: () => EVENTS_PROTOCOL,
  });
  const windows = new Set<WebSocket>();
  const listeners: (() => void)[] = [];
  const silent = new WeakSet<WebSocket>();
  const ping = setInterval(() => {
    for (const window of windows) {
      if (silent.has(window)) window.terminate();
      silent.add(window);
      window.ping();
    }
  }, PING_MS).unref();

  function accept(window: WebSocket): void {
    windows.add(window);
    for (const listener of listeners) listener();
    window.on('pong', () => silent.delete(window));
    window.on('close', () => windows.delete(window));
    // Oversized frames and broken connections; `close` follows.
    window.on('error', () => window.terminate());
  }

  function send(window: WebSocket, text: string): void {
    if (window.bufferedAmount > MAX_BUFFERED_BYTES) window.terminate();
    else window.send(text, () => undefined);
  }

  return {
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      const refused =
        refusal(request, tokens, hosts) ?? (windows.size >= MAX_WINDOWS ? '503 Service Unavailable' : null);
      if (refused === null) server.handleUpgrade(request, socket, head, accept);
      else endConnection(socket, `HTTP/1.1 ${refused}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return refused === null;
    },
    onWindow(listener) {
      listeners.push(listener);
    },
    broadcast(event) {
      const text = JSON.stringify(event);
      for (const window of windows) send(window, text);
    },
    sendToNewest(event) {
      const newest = [...windows].at(-1);
      if (newest === undefined) return false;
      send(newest, JSON.stringify(event));
      return true;
    },
    close() {
      clearInterval(ping);
      for (const window of windows) window.terminate();
      server.close();
    },
  };
}

/** Status line of the refusal, or null. */
function refusal(request: IncomingMessage, tokens: SessionTokens, hosts: HostNames): string | null {
  const { headers } = request;
  if (request.url !== PATHS.events) return '404 Not Found';
  const isServed = ['own', 'plain'].includes(hosts.kindOf(request));
  if (!isServed || !isSameOrigin(headers)) return '403 Forbidden';
  const [protocol, token, ...more] = (headers['sec-websocket-protocol'] ?? '').split(',').map((word) => word.trim());
  if (protocol !== EVENTS_PROTOCOL || more.length > 0 || !tokens.isSession(token)) return '401 Unauthorized';
  return null;
}
