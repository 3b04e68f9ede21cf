import type { z } from 'zod';
import { contract, type Method, type Params, type Result, type RpcAnswer } from '#core/contract/contract.ts';
import { EngineFailure, toEngineFailure, toRpcError } from '../failure.ts';

/** One function per method of the contract; a missing one does not compile. Failures are thrown as `EngineFailure`. */
export type Handlers = { readonly [M in Method]: (params: Params<M>) => Promise<Result<M>> };

export const isMethod = (name: string): name is Method => Object.hasOwn(contract, name);

/**
 * Answers one call. Parameters and result are both validated, and only fields in the contract get through, so a
 * `__proto__` in the parameters does not. Never rejects; `log` receives internal errors.
 */
export async function answerCall(
  handlers: Handlers,
  method: string,
  params: unknown,
  log: (line: string) => void,
): Promise<RpcAnswer<Method>> {
  try {
    if (!isMethod(method)) {
      throw new EngineFailure('unknown-method', `Unknown method ${JSON.stringify(method.slice(0, 100))}.`);
    }
    return { ok: true, result: await call(handlers, method, params) };
  } catch (error) {
    return failedAnswer(error, log);
  }
}

export function failedAnswer(error: unknown, log: (line: string) => void): { ok: false; error: RpcAnswerError } {
  if (toEngineFailure(error) === null) log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return { ok: false, error: toRpcError(error) };
}

type RpcAnswerError = Extract<RpcAnswer<Method>, { ok: false }>['error'];

async function call<M extends Method>(handlers: Handlers, method: M, params: unknown): Promise<Result<M>> {
  const { params: paramsSchema, result: resultSchema } = contract[method];
  const parsed = paramsSchema.safeParse(params);
  if (!parsed.success) throw new EngineFailure('invalid-arguments', `${method}: ${firstIssue(parsed.error)}`);
  const result = await handlers[method](parsed.data as Params<M>);
  return resultSchema.parse(result) as Result<M>;
}

/**
 * Answers one of `methods`, which travel in one method of the contract because the page loads their schemas only with
 * the dialog that calls them. `what` names their subject.
 */
export async function answerMethod<Name extends string>(
  methods: Readonly<Record<Name, { readonly params: z.ZodType }>>,
  handlers: Readonly<Record<Name, (params: never) => Promise<unknown>>>,
  { method, params }: { readonly method: string; readonly params: unknown },
  what: string,
): Promise<unknown> {
  if (!Object.hasOwn(methods, method)) throw new EngineFailure('invalid-arguments', `No such method of ${what}.`);
  const name = method as Name;
  const parsed = methods[name].params.safeParse(params);
  if (!parsed.success) throw new EngineFailure('invalid-arguments', `${name}: ${firstIssue(parsed.error)}`);
  // The schema is that of the handler of the same name.
  return handlers[name](parsed.data as never);
}

/** Answers a method that returns nothing once its work, if it is a promise, has ended. */
export async function done(work: unknown): Promise<Record<string, never>> {
  await work;
  return {};
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue === undefined ? 'not valid' : `${issue.path.join('.') || 'parameters'}: ${issue.message}`;
}
