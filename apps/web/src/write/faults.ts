/** Errors of the server, by the inputs that they are about. */
import { type FieldFault, RateLimitedError, ValidationError } from '@portico/sdk';
import { failureOf } from '../portal.ts';
import type { Texts } from '../texts/index.ts';
import { showNotice } from './notices.ts';
import { useAllTexts, type WriteTexts } from './texts.ts';

/** Sentences by what they are about: names of members, ids of fields; `''` is the form as a whole. */
export type Faults = Readonly<Record<string, string>>;

export const NO_FAULTS: Faults = {};

/** @param error why a write did not succeed */
export function faultsOf(error: unknown, texts: Texts & WriteTexts): Faults {
  if (error instanceof ValidationError && error.errors.length > 0) {
    const faults: Record<string, string> = {};
    for (const fault of error.errors) faults[placeOf(fault)] ??= messageOf(fault, texts);
    return faults;
  }
  if (error instanceof RangeError) return { '': error.message };
  if (error instanceof RateLimitedError) return { '': texts.tooManyAttempts };
  const failure = failureOf(error);
  if (failure === 'offline') return { '': texts.offline };
  return { '': failure === 'forbidden' || failure === 'not-found' ? texts.refused : texts.failed };
}

/** The first sentence about something that has no input of its own. @param places of the inputs */
export const faultBeside = (faults: Faults, places: readonly (string | number | undefined)[]): string | undefined =>
  Object.entries(faults).find(([place]) => !places.some((known) => String(known) === place))?.[1];

/** The one sentence that is shown of an error where there is no form. */
export const faultOf = (error: unknown, texts: Texts & WriteTexts): string =>
  Object.values(faultsOf(error, texts))[0] ?? texts.failed;

/** Shows a notice of an error. */
export function useShowError() {
  const texts = useAllTexts();
  return (error: unknown) => showNotice(faultOf(error, texts));
}

/** `customData.12` is the field 12, `attachments[0].contentRef` is `attachments`. */
function placeOf({ customFieldId, field = '' }: FieldFault): string {
  if (customFieldId !== undefined) return String(customFieldId);
  const [, id] = /^(?:customData|screenData)\.(\d+)/.exec(field) ?? [];
  return id ?? (/^[A-Za-z]*/.exec(field)?.[0] || '');
}

function messageOf({ code, defaultMessage }: FieldFault, texts: WriteTexts): string {
  return code === 'REQUIRED_FIELD' ? texts.required : (defaultMessage ?? texts.refusedValue);
}
