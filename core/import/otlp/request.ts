import { tooLarge } from '../../model/failure.ts';
import type { Profile } from '../../model/profile.ts';
import { finishImport } from '../import-profile.ts';
import { decodeDocument } from '../../model/decode-text.ts';
import { parseJson } from '../text/json-session.ts';
import { arrayOrNone, objectAt, textOr } from '../text/json-value.ts';
import { attributesOf, buildOtlp, tablesOf, textOf } from './build.ts';
import { otlpImporter } from './otlp.ts';
import { decodeOtlp } from './wire.ts';

/** The profiles of one resource of a request. */
export interface OtlpResource {
  /** Number of profiles. */
  readonly profiles: number;
  /** `service.name`, `service.version` and `vcs.ref.head.revision`; empty if the resource has none. */
  readonly service: string;
  readonly release: string;
  readonly commit: string;
  /** Ids of its profiles, in hexadecimal digits; empty if they have none. */
  readonly profileIds: readonly string[];
  /** Returns them as one profile. Throws `ImportFailure`. */
  build(): Profile;
}

/** Each resource becomes a profile; a batch of a collector has one for each process or container. */
const MAX_RESOURCES = 10_000;

/**
 * Splits an `ExportProfilesServiceRequest` by its resources, which share a dictionary. Throws `ImportFailure` if it is
 * not one.
 */
export function readOtlpRequest(bytes: Uint8Array, encoding: 'json' | 'protobuf'): OtlpResource[] {
  const file = objectAt(encoding === 'json' ? parseJson(decodeDocument(bytes).text) : decodeOtlp(bytes), 'the request');
  const tables = tablesOf(file);
  const resources = arrayOrNone(file['resourceProfiles'], 'resourceProfiles');
  if (resources.length > MAX_RESOURCES) {
    throw tooLarge(`${resources.length} resources; the limit is ${MAX_RESOURCES}`);
  }
  return resources.map((one) => {
    const resource = objectAt(one, 'a resource');
    const profiles = arrayOrNone(resource['scopeProfiles'], 'scopeProfiles')
      .flatMap((scope) => arrayOrNone(objectAt(scope, 'a scope')['profiles'], 'profiles'))
      .map((profile) => objectAt(profile, 'a profile'));
    const attributes = attributesOf(resource, tables);
    return {
      profiles: profiles.length,
      service: textOf(attributes, 'service.name'),
      release: textOf(attributes, 'service.version'),
      commit: textOf(attributes, 'vcs.ref.head.revision'),
      profileIds: profiles.map((profile) => textOr(profile['profileId'], '').toLowerCase()),
      build: () =>
        finishImport(
          { profile: buildOtlp({ ...file, resourceProfiles: [resource] }), importer: otlpImporter },
          'an OTLP request',
        ),
    };
  });
}
