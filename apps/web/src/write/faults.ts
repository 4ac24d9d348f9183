/** Errors of the server, by input. */
import { ConflictError, type FieldFault, RateLimitedError, ResponseError, ValidationError } from '@portico/sdk';
import { repetition } from '../failures/attempt.ts';
import { failureOf } from '../portal.ts';
import type { FaultyField } from '../texts/field-errors.ts';
import { showNotice } from './notices.ts';
import { type AllTexts, useAllTexts } from './texts.ts';

/**
 * Sentences by the input they are about: names of members, ids of fields; `''` is the form as a
 * whole.
 */
export type Faults = Readonly<Record<string, string>>;

export const NO_FAULTS: Faults = {};

/**
 * @param error the error of a write
 * @param fields the custom fields in the request
 */
export function faultsOf(error: unknown, texts: AllTexts, fields: readonly FaultyField[] = []): Faults {
  if (error instanceof ValidationError && error.errors.length > 0) {
    const faults: Record<string, string> = {};
    for (const fault of error.errors) {
      const place = placeOf(fault);
      faults[place] ??= messageOf(
        fault,
        texts,
        fields.find(({ id }) => String(id) === place),
      );
    }
    return faults;
  }
  if (error instanceof RangeError && error.cause === 'day') return { '': texts.partialDay };
  if (error instanceof RangeError) return { '': error.message || texts.notNumber };
  if (error instanceof ConflictError) return { '': texts.conflictInForm };
  if (error instanceof RateLimitedError) return { '': texts.tooManyAttempts };
  const failure = failureOf(error);
  const refusal = error instanceof ResponseError && error.code ? texts.fieldError({ code: error.code }) : undefined;
  if (refusal !== undefined) return { '': refusal };
  if (failure === 'offline') return { '': texts.offline };
  if (failure === 'signed-out') return { '': texts.signedOut };
  return { '': failure === 'forbidden' || failure === 'not-found' ? texts.refused : texts.failed };
}

/**
 * The first sentence about a place without an input.
 * @param places of the inputs
 */
export const faultBeside = (faults: Faults, places: readonly (string | number | undefined)[]): string | undefined =>
  Object.entries(faults).find(([place]) => !places.some((known) => String(known) === place))?.[1];

/** The sentence about an error outside of a form. */
export const faultOf = (error: unknown, texts: AllTexts, fields?: readonly FaultyField[]): string =>
  Object.values(faultsOf(error, texts, fields))[0] ?? texts.failed;

/** Shows a notice of an error, with a button that runs the action again where that can help. */
export function useShowError() {
  const texts = useAllTexts();
  return (error: unknown, run?: () => Promise<unknown>) =>
    showNotice(faultOf(error, texts), run && repetition(error, texts, run));
}

/** `customData.12` is the field 12, `attachments[0].contentRef` is `attachments`. */
function placeOf({ customFieldId, field = '' }: FieldFault): string {
  if (customFieldId !== undefined) return String(customFieldId);
  const [, id] = /^(?:customData|screenData)\.(\d+)/.exec(field) ?? [];
  return id ?? (/^[A-Za-z]*/.exec(field)?.[0] || '');
}

function messageOf(fault: FieldFault, texts: AllTexts, field: FaultyField | undefined): string {
  return texts.fieldError(fault, field) ?? fault.defaultMessage ?? texts.refusedValue;
}
