import { loadMethods, type LoadAnswer, type LoadMethod, type LoadParams } from '#core/contract/load/methods.ts';
import type { EngineClient } from '../../state/engine-client.ts';

/** Calls a method about load tests. Rejects with an `EngineError`. */
export async function callLoad<M extends LoadMethod>(
  engine: EngineClient,
  method: M,
  params: LoadParams<M>,
): Promise<LoadAnswer<M>> {
  return loadMethods[method].result.parse(await engine.call('load', { method, params })) as LoadAnswer<M>;
}
