import { WORKER_POLICY } from '#core/contract/trusted-types.ts';

interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}
interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): ScriptUrlPolicy;
}

/** Allows only scripts of this build, from this origin, as workers. */
function sameOriginScript(url: string): string {
  const resolved = new URL(url, import.meta.url);
  if (resolved.origin !== self.location.origin) throw new TypeError(`not a script of this build: ${resolved.origin}`);
  return resolved.href;
}

function createTrust(): (url: string) => string {
  const factory = (self as { trustedTypes?: PolicyFactory }).trustedTypes;
  if (factory === undefined) return sameOriginScript;
  const policy = factory.createPolicy(WORKER_POLICY, { createScriptURL: sameOriginScript });
  return (url) => policy.createScriptURL(url);
}

/**
 * Returns a URL that `new Worker()` accepts under `require-trusted-types-for 'script'`. A realm can create the policy
 * only once, so it is created here.
 */
export const trustedWorkerUrl = createTrust();
