/**
 * HTTP paths other than `/rpc/<method>`. All except static assets and `/session` require the header {@link
 * TOKEN_HEADER}. Every answer except a static asset, a file's bytes and a session is an {@link RpcAnswer} as JSON,
 * whatever the HTTP status: read the body, not the status.
 */
export const PATHS = {
  rpc: '/rpc/',
  /**
   * GET: streams the file of a one-time handle, with Content-Length if the size is known. With `Range:
   * bytes=first-last` it returns a part, as often as requested until the handle expires.
   */
  file: '/file/',
  /** POST, body = the file, `?name=`: adds a dropped file to the library; answers RpcAnswer of a capture document. */
  upload: '/upload',
  /**
   * GET `<id>`: an experiment and its captures as one file. POST, body = such a file: adds them to the library; answers
   * RpcAnswer of `importedExperimentSchema`.
   */
  experiment: '/experiment/',
  /**
   * PUT, body = native file: stores the parsed form of capture `<id>` for the next open; answers RpcAnswer of `{ kept:
   * boolean }`, false for a bundled sample and a read-only library.
   */
  cache: '/cache/',
  /**
   * POST {@link sessionRequestSchema} → {@link sessionResultSchema}, or an RpcAnswer's error. Token and code work once,
   * within 60 s.
   */
  session: '/session',
  events: '/events',
} as const;
export const TOKEN_HEADER = 'x-flamebench-token';
/** The first of the two subprotocols of the WebSocket at `/events`; the second is the session token. */
export const EVENTS_PROTOCOL = 'flamebench';
/** The workbench's URL is `<origin>/#token=<fragment token>`. */
export const FRAGMENT_KEY = 'token';
/**
 * Host name of the workbench's URL, which each engine draws at random. Pages under another name have no token and ask
 * for a code.
 */
export const OWN_HOST_NAME = /^[a-z]{16}\.localhost$/;
