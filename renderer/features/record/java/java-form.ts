import { MAX_JAVA_SECONDS, type JavaOptions } from '#core/contract/java.ts';
import { readAttachedForm } from '../attached-form.ts';
import type { CommonFields, FieldRefusal, TargetSides } from '../form-fields.ts';

export const readJavaForm = (form: CommonFields): TargetSides[] | FieldRefusal =>
  readAttachedForm(form, { name: 'Java', maxSeconds: MAX_JAVA_SECONDS }, (scope, seconds) => ({
    collector: 'java',
    seconds,
    scope,
  }));

/** Returns the fields for these options; the process is chosen separately. */
export const javaFieldsOf = ({ seconds }: JavaOptions): Partial<CommonFields> => ({ seconds: String(seconds) });
