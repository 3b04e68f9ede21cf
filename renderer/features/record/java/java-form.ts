import { MAX_JAVA_SECONDS, type JavaOptions } from '#core/contract/java.ts';
import { readAttachedForm } from '../attached-form.ts';
import type { CommonFields, FieldRefusal, TargetSides } from '../form-fields.ts';

export interface JavaFields {
  readonly javaProfile: 'flight-recorder' | NonNullable<JavaOptions['profile']>;
}

export type JavaForm = CommonFields & JavaFields;

export const EMPTY_JAVA: JavaFields = { javaProfile: 'flight-recorder' };

export function readJavaForm(form: JavaForm): TargetSides[] | FieldRefusal<JavaForm> {
  const { javaProfile } = form;
  const profile = javaProfile === 'flight-recorder' ? {} : { profile: javaProfile };
  // A snapshot has no duration, and the field is not shown.
  const read = javaProfile === 'threads' ? { ...form, seconds: '1' } : form;
  return readAttachedForm(read, { name: 'Java', maxSeconds: MAX_JAVA_SECONDS }, (scope, seconds) => ({
    collector: 'java',
    seconds,
    scope,
    ...profile,
  }));
}

/** Returns the fields for these options; the process is chosen separately. */
export const javaFieldsOf = ({ profile, seconds }: JavaOptions): Partial<JavaForm> => ({
  javaProfile: profile ?? 'flight-recorder',
  ...(profile === 'threads' ? {} : { seconds: String(seconds) }),
});
