import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { EngineEvent } from '#core/contract/contract.ts';
import { EVENTS_PROTOCOL, PATHS } from '#core/contract/paths.ts';
import { endConnection } from './connections.ts';
import { isSameOrigin, type HostNames } from './request-guard.ts';
import type { SessionTokens } from './session-tokens.ts';

/** The windows that receive events, newest last. */
export interface EventHub {
  /**
   * Handles an HTTP upgrade: opens a WebSocket for a page of this engine with a session token; refuses and returns
   * false for anything else.
   */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Called whenever a window has connected. */
  onWindow(listener: () => void): void;
  /** Called whenever the last window has disconnected. */
  onNoWindow(listener: () => void): void;
  broadcast(event: EngineEvent): void;
  /** Sends to the window that connected last; returns false if there is none. */
  sendToNewest(event: EngineEvent): boolean;
  close(): void;
}

/** Maximum size of a frame; pages do not send any data. */
const MAX_FRAME_BYTES = 1024;
/** Beyond this, the page has stopped reading and is disconnected; it will reconnect. */
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
  const goneListeners: (() => void)[] = [];
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
    window.on('close', () => {
      windows.delete(window);
      if (windows.size === 0) for (const listener of goneListeners) listener();
    });
    // Handles oversized frames and broken connections; `close` follows.
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
    onNoWindow(listener) {
      goneListeners.push(listener);
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

/** Returns the status line of the refusal, or null. */
function refusal(request: IncomingMessage, tokens: SessionTokens, hosts: HostNames): string | null {
  const { headers } = request;
  if (request.url !== PATHS.events) return '404 Not Found';
  const isServed = ['own', 'plain'].includes(hosts.kindOf(request));
  if (!isServed || !isSameOrigin(headers)) return '403 Forbidden';
  const [protocol, token, ...more] = (headers['sec-websocket-protocol'] ?? '').split(',').map((word) => word.trim());
  if (protocol !== EVENTS_PROTOCOL || more.length > 0 || !tokens.isSession(token)) return '401 Unauthorized';
  return null;
}
