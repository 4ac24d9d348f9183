/**
 * Rules of a field (contract: `validationRules`; docs/decisions/people.md), each with its published
 * meaning. Pure.
 */
import { type FieldType, ValidationType, validationRules } from '@portico/contract';
import { compare } from '@portico/platform/compare';
import { codePoints, counted } from '@portico/platform/text';
import { matchesPattern } from '@portico/platform/text/pattern';
import { parseDateInput, TimeInputError } from '@portico/platform/time';
import { momentIn, storedText, typeOf } from './field-types.ts';
import type { FieldMetadata, StoredValue } from './types/shared/field-type.ts';
import { decimalsOf } from './types/shared/numbers.ts';
import { ValueError } from './types/shared/value-error.ts';

/** A rule of a field. */
interface Rule {
  readonly typeId: ValidationType;
  readonly parameter: string | null;
}

/** Parts of a field on which its rules depend. */
interface RuledField<R extends WrittenRule = Rule> extends FieldMetadata {
  readonly type: FieldType;
  readonly validations: readonly R[];
}

const DAY_MS = 86_400_000;
/** An address: no spaces, one @, a dot in the domain. */
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/u;

function broken(message: string, ...args: unknown[]): ValueError {
  return new ValueError('CUSTOM_VALIDATION', message, args);
}

const holdsDays = (field: RuledField<WrittenRule>) => typeOf(field).kind === 'day';

/** Returns the bound of a date parameter; undefined when it cannot be read. */
function dateBound(parameter: string, field: RuledField<WrittenRule>, now: number): number | undefined {
  const relative = /^now(?:([+-]\d{1,6}))?$/.exec(parameter.trim());
  if (relative) return momentIn(field, now) + Number(relative[1] ?? 0) * DAY_MS;
  try {
    const value = /^-?\d+$/.test(parameter.trim()) ? Number(parameter) : parameter;
    return parseDateInput(value, holdsDays(field) ? 'DATE' : 'DATETIME');
  } catch (error) {
    if (error instanceof TimeInputError) return undefined;
    throw error;
  }
}

/**
 * Compares two numbers; exact also for digits beyond 2^53. @returns a number less than, equal to or
 * greater than 0
 */
function compareNumbers(value: number | string, parameter: string): number {
  const exact = typeof value === 'string' && /^-?\d+$/.test(parameter);
  return exact ? compare(BigInt(value), BigInt(parameter)) : Number(value) - Number(parameter);
}

type Check = (value: StoredValue, parameter: string, field: RuledField, now: number) => ValueError | undefined;

const characters = (field: RuledField, value: StoredValue) => codePoints(storedText(field, value));

const checks: Readonly<Partial<Record<ValidationType, Check>>> = {
  [ValidationType.MIN_VALUE]: (value, parameter) =>
    compareNumbers(value as number, parameter) < 0 ? broken(`send ${parameter} or more.`, parameter) : undefined,
  [ValidationType.MAX_VALUE]: (value, parameter) =>
    compareNumbers(value as number, parameter) > 0 ? broken(`send ${parameter} or less.`, parameter) : undefined,
  [ValidationType.MAX_COUNT]: (value, parameter) =>
    (value as number[]).length > Number(parameter)
      ? broken(`send at most ${counted(Number(parameter), 'item')}.`, parameter)
      : undefined,
  [ValidationType.MIN_LENGTH]: (value, parameter, field) =>
    characters(field, value) < Number(parameter)
      ? broken(`send at least ${counted(Number(parameter), 'character')} (code points).`, parameter)
      : undefined,
  [ValidationType.MAX_LENGTH]: (value, parameter, field) =>
    characters(field, value) > Number(parameter)
      ? broken(`send at most ${counted(Number(parameter), 'character')} (code points).`, parameter)
      : undefined,
  [ValidationType.DATE_MIN]: (value, parameter, field, now) => {
    const bound = dateBound(parameter, field, now);
    return bound === undefined || (value as number) < bound
      ? broken(`send a date not before ${parameter}.`, parameter)
      : undefined;
  },
  [ValidationType.DATE_MAX]: (value, parameter, field, now) => {
    const bound = dateBound(parameter, field, now);
    return bound === undefined || (value as number) > bound
      ? broken(`send a date not after ${parameter}.`, parameter)
      : undefined;
  },
  [ValidationType.UNIQUE_ITEMS]: (value) =>
    new Set(value as number[]).size < (value as number[]).length ? broken('send each item once.') : undefined,
  [ValidationType.MAX_DECIMALS]: (value, parameter) =>
    decimalsOf(value as number) > Number(parameter)
      ? broken(`send at most ${parameter} digits after the point.`, parameter)
      : undefined,
  [ValidationType.NOT_IN_THE_PAST]: (value, _parameter, field, now) =>
    (value as number) < momentIn(field, now) ? broken('send a date that is not in the past.') : undefined,
  [ValidationType.NOT_IN_THE_FUTURE]: (value, _parameter, field, now) =>
    (value as number) > momentIn(field, now) ? broken('send a date that is not in the future.') : undefined,
  [ValidationType.EMAIL]: (value) =>
    EMAIL.test(String(value).trim()) ? undefined : broken('send one e-mail address.'),
  [ValidationType.URL]: (value) => {
    const address = URL.parse(String(value).trim());
    return address && (address.protocol === 'http:' || address.protocol === 'https:')
      ? undefined
      : broken('send an absolute http or https address.');
  },
};

function* checkPattern(text: string, pattern: string): Generator<void, ValueError | undefined> {
  const matches = yield* matchesPattern(pattern, text);
  if (matches) return undefined;
  // The match is undecided: the pattern is older than the limits of patterns, or the text is long.
  return matches === undefined
    ? broken('its pattern is too large for this text; send a shorter text, or ask a manager to simplify the pattern.')
    : broken(`send a text that matches ${pattern} as a whole.`, pattern);
}

/** Pairs of rules: the minimum and the maximum. */
const bounds = [
  [ValidationType.MIN_VALUE, ValidationType.MAX_VALUE],
  [ValidationType.MIN_COUNT, ValidationType.MAX_COUNT],
  [ValidationType.MIN_LENGTH, ValidationType.MAX_LENGTH],
  [ValidationType.DATE_MIN, ValidationType.DATE_MAX],
] as const;

/**
 * Returns whether the parameter of the first rule lies above that of the second; false if either
 * cannot be read.
 */
function isAbove(typeId: ValidationType, low: string, high: string, field: RuledField<WrittenRule>): boolean {
  if (typeId !== ValidationType.DATE_MIN) return Number(low) > Number(high);
  // A fixed day and a day relative to today are in order on some days only.
  const moves = (parameter: string) => parameter.trim().startsWith('now');
  if (moves(low) !== moves(high)) return false;
  const [from, to] = [dateBound(low, field, 0), dateBound(high, field, 0)];
  return from !== undefined && to !== undefined && from > to;
}

/** A rule as a request writes it. */
interface WrittenRule {
  readonly typeId: ValidationType;
  readonly parameter?: string | null;
}

const crossedMessage = (min: ValidationType, least: string, max: ValidationType, greatest: string) =>
  `${ruleName(max)} must not be below ${ruleName(min)}: ${greatest} is below ${least}.`;

const ruleName = (typeId: ValidationType) => validationRules.find(({ id }) => id === typeId)!.name;

/**
 * Finds rules that no value satisfies together: a maximum below a minimum. @returns the position of
 * the maximum in the list of rules
 */
export function crossedRules(field: RuledField<WrittenRule>): { index: number; message: string }[] {
  const rules = field.validations.map(({ typeId, parameter }, index) => ({
    typeId,
    parameter: parameter ?? '',
    index,
  }));
  return bounds.flatMap(([min, max]) =>
    rules
      .filter(({ typeId }) => typeId === max)
      .flatMap(({ parameter: greatest, index }) => {
        const crossed = rules.find(
          ({ typeId, parameter }) => typeId === min && isAbove(min, parameter, greatest, field),
        );
        return crossed ? { index, message: crossedMessage(min, crossed.parameter, max, greatest) } : [];
      }),
  );
}

const fieldTypesOf = new Map(validationRules.map(({ id, fieldTypes }) => [id, new Set(fieldTypes)]));

/**
 * Returns whether a rule applies to this type of field, as published; a rule on any other type is
 * ignored.
 */
function applies(typeId: ValidationType, type: FieldType): boolean {
  return fieldTypesOf.get(typeId)?.has(type) ?? false;
}

/**
 * Finds the rules that a changed value breaks, in parts: patterns take long. An empty value breaks MIN_COUNT only, and only
 * where a value is demanded; the caller checks REQUIRED.
 * @param demanded whether the form shows the field, as far as is known
 * @param unseen number of ids at the end of the value that the writer does not see: a rule on the
 * maximum number does not count them
 */
export function* brokenRules<R extends Rule>(
  field: RuledField<R>,
  value: StoredValue | undefined,
  now: number,
  demanded = true,
  unseen = 0,
): Generator<void, { rule: R; error: ValueError }[]> {
  const found: { rule: R; error: ValueError }[] = [];
  for (const rule of field.validations) {
    if (!applies(rule.typeId, field.type)) continue;
    let error: ValueError | undefined;
    if (rule.typeId === ValidationType.MIN_COUNT && (value !== undefined || demanded)) {
      const count = value === undefined ? 0 : (value as number[]).length;
      if (count < Number(rule.parameter))
        error = broken(`send at least ${counted(Number(rule.parameter), 'item')}.`, rule.parameter);
    } else if (value !== undefined && rule.typeId === ValidationType.PATTERN) {
      error = yield* checkPattern(storedText(field, value), rule.parameter ?? '');
    } else if (value !== undefined) {
      const own =
        rule.typeId === ValidationType.MAX_COUNT && unseen > 0 ? (value as number[]).slice(0, -unseen) : value;
      error = checks[rule.typeId]?.(own, rule.parameter ?? '', field, now);
    }
    if (error) found.push({ rule, error });
    yield;
  }
  return found;
}
