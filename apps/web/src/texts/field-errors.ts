/**
 * Sentences about single inputs that the server refused, in the language of the page: by code,
 * arguments and field of the error. The server's own messages are for programs; they are shown if
 * these do not say enough.
 */
import { type FieldFault, fieldTypes, ValidationType } from '@portico/sdk';
import type { ShownField } from '../content/shown-field.ts';
import { useFormats, usePageTexts } from './index.ts';
import { type Count, english } from './plurals.ts';

export const en = {
  required: 'This field is required.',
  tooLong: 'This text is too long. Shorten it.',
  mostCharacters: (most: Count) =>
    english(most, { one: 'Enter at most 1 character.', other: `Enter at most ${most} characters.` }),
  leastCharacters: (least: Count) =>
    english(least, { one: 'Enter at least 1 character.', other: `Enter at least ${least} characters.` }),
  tooMany: 'These are too many entries. Remove some.',
  mostEntries: (most: Count) =>
    english(most, { one: 'Choose at most 1 entry.', other: `Choose at most ${most} entries.` }),
  leastEntries: (least: Count) =>
    english(least, { one: 'Choose at least 1 entry.', other: `Choose at least ${least} entries.` }),
  entriesOnce: 'Choose each entry once.',
  wholeNumber: 'Enter a whole number.',
  between: (least: Count, most: Count) => `Enter a number from ${least} to ${most}.`,
  inSteps: (least: Count, most: Count, step: Count) => `Enter a number from ${least} to ${most} in steps of ${step}.`,
  leastNumber: (least: Count) => `Enter ${least} or more.`,
  mostNumber: (most: Count) => `Enter ${most} or less.`,
  decimals: (most: Count) =>
    english(most, { one: 'Enter at most 1 decimal place.', other: `Enter at most ${most} decimal places.` }),
  noDecimals: 'Enter a number without decimal places.',
  digits: (most: Count) =>
    english(most, {
      one: 'Enter a number of at most 1 digit.',
      other: `Enter a number of at most ${most} digits.`,
    }),
  noDate: 'This is not a date that exists. Enter another one.',
  noTimeZone: 'This time zone is unknown. Choose another one.',
  notBefore: (when: string) => `Choose a date that is not before ${when}.`,
  notAfter: (when: string) => `Choose a date that is not after ${when}.`,
  notPast: 'Choose a date that is not in the past.',
  notFuture: 'Choose a date that is not in the future.',
  email: 'Enter one e-mail address.',
  address: 'Enter an address that begins with http:// or https://.',
  pattern: (pattern: string) => `The text must have this form: ${pattern}`,
  badCharacters: 'This text has characters that cannot be saved. Remove them.',
  noReference: 'What is chosen here no longer exists, or you may not use it. Choose something else.',
  notChoosable: (names: string) => `This cannot be chosen here: ${names}. Choose something else.`,
  taken: 'This is taken already. Choose something else.',
  readOnly: 'You cannot change this field.',
  goneField: 'This field no longer exists. Copy what you wrote and reload the page.',
  fileTooLarge: 'The file is too large. Attach a smaller one.',
  mostBytes: (most: string) => `The file is larger than ${most}. Attach a smaller one.`,
  noRoom: 'There is no room left for this file. Attach a smaller one, or ask an administrator.',
  uploadExpired: 'The upload has expired. Remove the file and attach it again.',
  notScheduled: 'Choose a time in the future. What is published already cannot be scheduled.',
  firstNumber: (first: Count) => `The first change that can be sent again has the number ${first}.`,
  endBeforeStart: 'The end must be after the start.',
  linkUsed: 'This link was used, has expired or was replaced. Ask for a new one.',
  /** Refusals of a request as a whole, by code. */
  refusals: {
    COMMUNITY_ARCHIVED: 'The community is archived: it can be read, but not changed.',
    WORKSPACE_ARCHIVED: 'The workspace is archived: it can be read, but not changed.',
    TENANT_DISABLED: 'The operator has disabled this portal.',
    SECOND_FACTOR_SETUP_REQUIRED: 'Set up a second factor in your account first.',
    SECOND_FACTOR_CONFIRMATION_REQUIRED: 'Confirm that it is you by a code or a passkey first.',
    WORKFLOW_OPERATION_NOT_PERMITTED: 'You cannot take this step from the present state.',
    INVALID_LINK: 'This link has expired. Reload the page.',
    BODY_TOO_LARGE: 'This is too much at once. Shorten it.',
    UPLOAD_TOO_LARGE: 'The file is too large. Attach a smaller one.',
    STORAGE_FULL: 'The portal has no room left, and nothing was saved. Tell an administrator.',
    TOO_MANY_AT_ONCE: 'Too much is under way at once. Try again shortly.',
    TOO_MANY_UPLOADS: 'You have uploaded too many files that are not attached to anything. Try again tomorrow.',
    UNAVAILABLE: 'The portal cannot answer now. Try again shortly.',
  },
  password:
    'Choose another password: at least eight characters, not a common one, neither your user name nor your present password.',
};

type FieldErrorTexts = typeof en;

/** The members of a custom field that a sentence about its error may depend on. */
export type FaultyField = Pick<ShownField, 'id' | 'type' | 'metadata' | 'enumValues'>;

/** @returns the sentence about an error; undefined if its code and arguments do not say enough */
type FieldErrorText = (fault: FieldFault, field?: FaultyField) => string | undefined;

const DAY_MS = 86_400_000;

/** Sentences about refused inputs, in the language of the page. */
export function useFieldErrorText(): FieldErrorText {
  const texts = usePageTexts('fieldErrors', en);
  const formats = useFormats();
  return fieldErrorText(texts, formats);
}

type Formats = ReturnType<typeof useFormats>;

function fieldErrorText(texts: FieldErrorTexts, formats: Formats): FieldErrorText {
  /** An argument as a number of the language: rules hold numbers as texts. */
  const number = (arg: unknown): Count | undefined => {
    if (typeof arg === 'number') return formats.count(arg);
    if (typeof arg !== 'string' || !/^-?\d+(\.\d+)?$/.test(arg)) return undefined;
    return formats.count(arg.includes('.') ? Number(arg) : BigInt(arg));
  };
  const withNumber = (words: (shown: Count) => string, arg: unknown): string | undefined => {
    const shown = number(arg);
    return shown === undefined ? undefined : words(shown);
  };
  const withDate = (words: (shown: string) => string, arg: unknown): string | undefined => {
    const shown = typeof arg === 'string' ? dateText(arg.trim(), formats) : undefined;
    return shown === undefined ? undefined : words(shown);
  };
  const decimals = (arg: unknown) => (Number(arg) === 0 ? texts.noDecimals : withNumber(texts.decimals, arg));
  const between = (args: readonly unknown[]): string | undefined => {
    const [least, most, step] = args.map(number);
    if (least === undefined) return undefined;
    if (most === undefined) return texts.leastNumber(least);
    return step === undefined ? texts.between(least, most) : texts.inSteps(least, most, step);
  };

  const brokenRule = ({ validationTypeId, args = [] }: FieldFault): string | undefined => {
    const [arg] = args;
    switch (validationTypeId) {
      case ValidationType.MIN_VALUE:
        return withNumber(texts.leastNumber, arg);
      case ValidationType.MAX_VALUE:
        return withNumber(texts.mostNumber, arg);
      case ValidationType.MIN_COUNT:
        return withNumber(texts.leastEntries, arg);
      case ValidationType.MAX_COUNT:
        return withNumber(texts.mostEntries, arg);
      case ValidationType.MIN_LENGTH:
        return withNumber(texts.leastCharacters, arg);
      case ValidationType.MAX_LENGTH:
        return withNumber(texts.mostCharacters, arg);
      case ValidationType.PATTERN:
        return typeof arg === 'string' ? texts.pattern(arg) : undefined;
      case ValidationType.DATE_MIN:
        return withDate(texts.notBefore, arg);
      case ValidationType.DATE_MAX:
        return withDate(texts.notAfter, arg);
      case ValidationType.UNIQUE_ITEMS:
        return texts.entriesOnce;
      case ValidationType.MAX_DECIMALS:
        return decimals(arg);
      case ValidationType.NOT_IN_THE_PAST:
        return texts.notPast;
      case ValidationType.NOT_IN_THE_FUTURE:
        return texts.notFuture;
      case ValidationType.EMAIL:
        return texts.email;
      case ValidationType.URL:
        return texts.address;
      default:
        return undefined;
    }
  };

  /** Sentence about a value that does not fit the type of its custom field. */
  const unfit = (args: readonly unknown[], field: FaultyField): string | undefined => {
    const { kind, rules, textForm } = fieldTypes[field.type!];
    if (kind === 'number') {
      if (args.length > 1) return between(args);
      const { decimal_digits: most } = field.metadata ?? {};
      if (args.length === 1) return String(args[0]) === most ? decimals(args[0]) : withNumber(texts.digits, args[0]);
      return rules.includes('bounds') && !rules.includes('decimals') ? texts.wholeNumber : undefined;
    }
    if (textForm === 'address') return texts.address;
    if (kind !== 'choice' || args.length === 0) return undefined;
    const names = args.map((arg) => field.enumValues?.find(({ id }) => id === arg)?.label);
    return names.includes(undefined) ? texts.noReference : texts.notChoosable(names.join(', '));
  };

  /** Sentence about a refused input that is no custom field. */
  const unfitInput = (place: string, args: readonly unknown[]): string | undefined => {
    if (place === 'newPassword') return texts.password;
    if (place === 'token') return texts.linkUsed;
    if (place === 'fromNumber') return withNumber(texts.firstNumber, args[0]);
    if (place === 'scheduledPublication.datetime') return texts.notScheduled;
    return place === 'event.endAt' ? texts.endBeforeStart : undefined;
  };

  return (fault, field) => {
    const { code, args = [], field: place = '' } = fault;
    const [arg] = args;
    switch (code) {
      case 'REQUIRED_FIELD':
        return texts.required;
      case 'CUSTOM_VALIDATION':
        return brokenRule(fault);
      case 'INVALID_VALUE':
        return field ? unfit(args, field) : unfitInput(place, args);
      case 'TEXT_TOO_LONG':
        return withNumber(texts.mostCharacters, arg) ?? texts.tooLong;
      case 'TOO_MANY_ITEMS':
        return withNumber(texts.mostEntries, arg) ?? texts.tooMany;
      case 'INTEGER_OUT_OF_RANGE':
        return between(args.slice(0, 2));
      case 'INVALID_DATE':
        return texts.noDate;
      case 'INVALID_TIME_ZONE':
        return texts.noTimeZone;
      case 'INVALID_TEXT':
        return texts.badCharacters;
      case 'UNKNOWN_REFERENCE':
      case 'NOT_EXISTS':
        return texts.noReference;
      case 'DUPLICATE_VALUE':
        return texts.taken;
      case 'READ_ONLY_FIELD':
        return texts.readOnly;
      case 'UNKNOWN_FIELD':
        return texts.goneField;
      case 'ATTACHMENT_TOO_LARGE':
        return typeof arg === 'number' ? texts.mostBytes(formats.bytes(arg)) : texts.fileTooLarge;
      case 'QUOTA_EXCEEDED':
        return texts.noRoom;
      case 'CONTENT_REF_INVALID':
        return texts.uploadExpired;
      default:
        return texts.refusals[code as keyof FieldErrorTexts['refusals']];
    }
  };
}

/** The date in a rule: `now`, `now+7`, ISO or epoch milliseconds. */
function dateText(parameter: string, formats: Formats): string | undefined {
  const relative = /^now(?:([+-]\d{1,6}))?$/.exec(parameter);
  if (relative) return formats.dayOf(Date.now() + Number(relative[1] ?? 0) * DAY_MS);
  const ms = /^-?\d+$/.test(parameter) ? Number(parameter) : Date.parse(parameter);
  if (Number.isNaN(new Date(ms).getTime())) return undefined;
  return ms % DAY_MS === 0 ? formats.day(ms) : formats.moment(ms);
}
