import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Library } from '../library/library.ts';
import { FILE_BODY, readBody } from '../http/request-body.ts';
import {
  requireMethod,
  requireSameOrigin,
  requireSameOriginRead,
  requireSession,
  sendJson,
  STALLED_READER_MS,
} from '../http/request-checks.ts';
import type { SessionTokens } from '../http/session-tokens.ts';
import type { Experiments } from './experiments.ts';
import { exportBundle } from './export-bundle.ts';
import { importBundle } from './import-bundle.ts';
import { messageOf } from '#core/model/failure.ts';

export interface ExperimentRouteParts {
  readonly library: Library;
  readonly experiments: Experiments;
  readonly tokens: SessionTokens;
  readonly log: (line: string) => void;
}

/** Handles GET of an experiment with its captures, as one file. */
export async function sendExperiment(
  { library, experiments, tokens, log }: ExperimentRouteParts,
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
): Promise<void> {
  requireMethod(request, 'GET');
  requireSameOriginRead(request);
  requireSession(tokens, request);
  const { chunks } = await exportBundle(library, experiments, id);
  response.setTimeout(STALLED_READER_MS, () => response.destroy());
  response.setHeader('content-type', 'application/octet-stream');
  // An error from here on ends the connection before the last chunk, by which the client notices it.
  await pipeline(chunks, response).catch((error: unknown) => {
    log(`the experiment ${id} was not sent: ${messageOf(error)}`);
    response.destroy();
  });
}

/** Handles POST of such a file. */
export async function receiveExperiment(
  { library, experiments, tokens }: ExperimentRouteParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  requireMethod(request, 'POST');
  requireSameOrigin(request);
  requireSession(tokens, request);
  try {
    const result = await importBundle(library, experiments, readBody(request, FILE_BODY));
    sendJson(request, response, 200, { ok: true, result });
  } catch (error) {
    // Reads the rest of a refused body, because pages take an answer before the end of their request for a broken
    // connection.
    if (!request.destroyed) for await (const chunk of readBody(request, FILE_BODY)) void chunk;
    throw error;
  }
}
