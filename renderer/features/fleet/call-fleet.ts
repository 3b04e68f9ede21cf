import { fleetMethods, type FleetAnswer, type FleetMethod, type FleetParams } from '#core/contract/fleet/methods.ts';
import type { EngineClient } from '../../state/engine-client.ts';

/** Calls a method about fleets. Rejects with an `EngineError`. */
export async function callFleet<M extends FleetMethod>(
  engine: EngineClient,
  method: M,
  params: FleetParams<M>,
): Promise<FleetAnswer<M>> {
  return fleetMethods[method].result.parse(await engine.call('fleet', { method, params })) as FleetAnswer<M>;
}
