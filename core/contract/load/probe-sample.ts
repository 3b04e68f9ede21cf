import * as z from 'zod/mini';

const seconds = z.number().check(z.nonnegative());

/** Durations of the phases of one request, in seconds. */
const phasesSchema = z.object({
  /** Before a browser could send the request; absent: it was not sent by one. */
  blocked: z.exactOptional(seconds),
  /** The CORS preflight, without the connection that it opens; absent: no request of the series had one. */
  preflight: z.exactOptional(seconds),
  dns: seconds,
  tcp: seconds,
  /** Null without TLS. */
  tls: z.nullable(seconds),
  /** From the open connection to the first byte of the answer: the network's round trip and the server. */
  firstByte: seconds,
  download: seconds,
  total: seconds,
});
export type ProbePhases = Readonly<z.infer<typeof phasesSchema>>;

/** A request on a new connection, and one that follows on the same. */
export const probeSampleSchema = z.object({
  /** Null: a browser sent the request on a connection that it had. */
  cold: z.nullable(phasesSchema),
  /** Null: the server closed the connection, or a browser sent only the one. */
  kept: z.nullable(phasesSchema),
  /** Status of the first answer. */
  status: z.number(),
});
export type ProbeSample = Readonly<z.infer<typeof probeSampleSchema>>;
