import * as z from 'zod';
import { MAX_SERVER_PROCESSES, watchedSchema } from './load-test.ts';

/** A component of a server that the user names: a process, those that listen at a port, or those of a group. */
export const askedComponentSchema = z.object({
  name: z.string().min(1).max(100),
  /** A PID, a port, or the name of a container, pod or systemd unit. */
  at: z.union([z.number().int().min(1).max(9_999_999), z.string().min(1).max(300)]),
  isPort: z.boolean(),
});
export type AskedComponent = Readonly<z.infer<typeof askedComponentSchema>>;

/** Reads `gateway=812`, `gateway=:8080` or `gateway=nginx.service`; null if it is none of them. */
export function readComponent(word: string): AskedComponent | null {
  const [, name, colon, number, group] =
    /^([^=\s][^=]{0,99})=(?:(:?)(\d{1,7})|((?!\d+$)[A-Za-z0-9][\w.@:/\\-]{0,299}))$/.exec(word) ?? [];
  if (name !== undefined && group !== undefined) return { name, at: group, isPort: false };
  const at = Number(number);
  const isPort = colon === ':';
  return name !== undefined && at > 0 && (!isPort || at <= 65_535) ? { name, at, isPort } : null;
}

/** Which processes of one machine to watch. */
export const askedComponentsSchema = z.object({
  url: z.string().min(1).max(4096),
  /**
   * `auto`: also those at the URL's port, their workers, and what they are connected to. `if-found`: likewise, but it is
   * only said if there are none.
   */
  find: z.enum(['auto', 'if-found', 'no']),
  /** The machine was named as the server's; else the URL must be one of its loopback addresses. */
  isServer: z.boolean(),
  components: z.array(askedComponentSchema).max(MAX_SERVER_PROCESSES),
  /** Watched first. */
  pids: z.array(watchedSchema.shape.pids.element).max(MAX_SERVER_PROCESSES),
});
export type AskedComponents = z.infer<typeof askedComponentsSchema>;

/** The processes of a server on one machine, and what is said of them before anything runs. */
export const foundComponentsSchema = z.object({
  /** Null: none are watched. */
  machine: watchedSchema.nullable(),
  /** Null: nothing was looked for. */
  sentence: z.string().nullable(),
});
export type FoundComponents = z.infer<typeof foundComponentsSchema>;
