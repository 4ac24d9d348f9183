/**
 * Validation by the contract's JSON Schemas. Bodies are taken as they are (a text "15" is not a number); path and query
 * are text on the wire and are coerced. Every problem of a request is reported at once.
 */
import type { ErrorCode } from '@portico/contract';
import {
  ajvOptions,
  type JsonSchema,
  sharedSchemas,
  strictSharedSchemas,
  tokenPattern,
} from '@portico/contract/schemas';
import { counted, type Nearest, nearestOf } from '@portico/platform/text';
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { type FieldError, MAX_FIELD_ERRORS, ValidationError } from '../kernel/errors.ts';
import { nameOf } from './body.ts';
import { type BodyPath, sampleOf } from './sample.ts';

/**
 * `verbose`: each error carries its schema, whose description says what is allowed. Schemas are compiled by the first request that
 * needs them, which other requests wait for: tests validate them, and optimising their code takes longer than it saves.
 */
const options: Options = {
  ...ajvOptions,
  keywords: [...ajvOptions.keywords],
  verbose: true,
  validateSchema: false,
  code: { optimize: false },
};

type InputPart = 'body' | 'query' | 'params';

/** Checks one part of a request; throws a ValidationError that names every field. */
export type InputCheck = (value: unknown) => void;

/** Makes the checks of inputs and answers, each compiled when it is first needed. */
export class SchemaChecks {
  #bodies: Ajv | undefined;
  #samples: Ajv | undefined;
  #texts: Ajv | undefined;
  #answers: Ajv | undefined;

  /** A check of one part of a request. */
  input(part: InputPart, schema: JsonSchema): InputCheck {
    if (part === 'body') return this.#bodyCheck(schema);
    let validate: ValidateFunction | undefined;
    return (value) => {
      this.#texts ??= new Ajv({ ...options, coerceTypes: true, useDefaults: true });
      validate ??= this.#texts.compile(schema);
      // Before the texts become numbers.
      const misspelt = misspeltIntegers(schema, value as Record<string, unknown>);
      const errors = validate(value) ? [] : toFieldErrors(validate.errors ?? []);
      errors.push(...infiniteNumbers(value as object));
      errors.unshift(...misspelt.filter(({ field }) => !errors.some((error) => error.field === field)));
      if (errors.length > 0) throw new ValidationError(errors);
    };
  }

  /**
   * A check of bodies. It stops at the first error; the others are collected from a sample, since a body can have a hundred
   * thousand.
   */
  #bodyCheck(schema: object): InputCheck {
    let first: ValidateFunction | undefined;
    let all: ValidateFunction | undefined;
    return (value) => {
      this.#bodies ??= new Ajv({ ...options, allErrors: false }).addSchema([...sharedSchemas]);
      first ??= this.#bodies.compile(schema);
      if (first(value)) return;
      this.#samples ??= new Ajv(options).addSchema([...sharedSchemas]);
      all ??= this.#samples.compile(schema);
      const { sample, cut } = sampleOf(value);
      all(sample);
      const lists = cut.flatMap(({ path, length }) => {
        const limit = maxItemsAt(schema, path);
        return limit !== undefined && length > limit ? tooManyItems(fieldPath(pointerOf(path)), limit) : [];
      });
      const inSample = toFieldErrors(all.errors ?? []);
      const found = new Map([...lists, ...inSample].map((error) => [error.field, error]));
      // The first error may lie beyond the sample of its list.
      const [error] = toFieldErrors(first.errors ?? []);
      const behind = error !== undefined && !found.has(error.field) ? [error] : [];
      throw new ValidationError([...behind, ...found.values()]);
    };
  }

  /** A check of an answer. @returns the problems as text, none when the answer is as declared */
  answer(schema: object): (value: unknown) => string[] {
    let validate: ValidateFunction | undefined;
    return (value) => {
      validate ??= this.#answerSchemas().compile(schema);
      if (validate(value)) return [];
      return (validate.errors ?? []).map(
        (error) => `${fieldPath(error.instancePath) || '$'} ${error.message} ${JSON.stringify(error.params)}`,
      );
    };
  }

  #answerSchemas(): Ajv {
    this.#answers ??= new Ajv(options).addSchema(strictSharedSchemas());
    return this.#answers;
  }
}

/** Four hundred digits are coerced to a number that no declared maximum is compared with. */
function infiniteNumbers(coerced: object): FieldError[] {
  return Object.entries(coerced).flatMap(([field, value]) =>
    typeof value === 'number' && !Number.isFinite(value)
      ? [{ code: 'INVALID_VALUE', field, defaultMessage: `${field} is too large a number.` }]
      : [],
  );
}

/** Coercion takes `0x1f`, `1e2`, `1.0`, `+1` and ` 1` for integers; an integer is written in digits alone. */
function misspeltIntegers(schema: JsonSchema, texts: Readonly<Record<string, unknown>>): FieldError[] {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  return Object.entries(texts).flatMap(([field, text]) => {
    const integer = Object.hasOwn(properties, field) && properties[field]?.['type'] === 'integer';
    return integer && typeof text === 'string' && !/^-?\d+$/.test(text) ? [wrongType(field, 'integer')] : [];
  });
}

/** For at most this many unknown keys the most similar declared one is suggested; a body could have a hundred thousand. */
const MAX_NEAREST = 100;

function toFieldErrors(errors: readonly ErrorObject[]): FieldError[] {
  const found = new Map<string, FieldError>();
  for (const error of errors) {
    if (found.size >= MAX_FIELD_ERRORS) break;
    const item = toFieldError(error, found.size < MAX_NEAREST);
    // The first error about a field is the most specific; the wrappers (anyOf) come last.
    if (item && !found.has(item.field)) found.set(item.field, item);
  }
  return [...found.values()];
}

function toFieldError(error: ErrorObject, withNearest: boolean): FieldError | undefined {
  const path = fieldPath(error.instancePath);
  const params = error.params as Record<string, unknown>;
  const at = (code: ErrorCode, defaultMessage: string, args: unknown[] = []): FieldError => ({
    code,
    field: path || '$',
    defaultMessage,
    args,
  });
  switch (error.keyword) {
    case 'required': {
      const name = String(params['missingProperty']);
      const field = path ? `${path}.${name}` : name;
      return { code: 'REQUIRED_FIELD', field, defaultMessage: `${field} is required.` };
    }
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      const schema = (error.parentSchema ?? {}) as { properties?: object };
      return unrecognised(path, key, withNearest ? Object.keys(schema.properties ?? {}) : []);
    }
    case 'type':
      return wrongType(path, params['type']);
    case 'enum': {
      // An optional key may be null on the wire; that is the schema's way of saying so, no value to offer.
      const allowed = (params['allowedValues'] as unknown[]).filter((value) => value !== null);
      return at('INVALID_VALUE', `${path} must be one of: ${allowed.join(', ')}.`, allowed);
    }
    case 'const':
      return at('INVALID_VALUE', `${path} must be ${JSON.stringify(params['allowedValue'])}.`);
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum': {
      const limit = Number(params['limit']);
      const code = Math.abs(limit) >= 2_147_483_647 ? 'INTEGER_OUT_OF_RANGE' : 'INVALID_VALUE';
      return at(code, `${path} must be ${String(params['comparison'])} ${limit}.`, [limit]);
    }
    case 'maxLength': {
      const limit = Number(params['limit']);
      return at('TEXT_TOO_LONG', `${path} may have at most ${counted(limit, 'character')} (code points).`, [limit]);
    }
    case 'minLength': {
      const limit = Number(params['limit']);
      return at('INVALID_VALUE', `${path} must have at least ${counted(limit, 'character')} (code points).`, [limit]);
    }
    case 'maxItems':
      return tooManyItems(path, Number(params['limit']));
    case 'minItems': {
      const limit = Number(params['limit']);
      return at('INVALID_VALUE', `${path} must have at least ${counted(limit, 'item')}.`, [limit]);
    }
    case 'uniqueItems':
      return at('INVALID_VALUE', `${path} must not hold an item twice.`);
    case 'pattern':
      return patternError(path, error);
    case 'anyOf':
    case 'oneOf':
    case 'if':
      return at('INVALID_VALUE', `${path || 'The body'} has none of the allowed forms.`);
    default:
      return at('INVALID_VALUE', `${path || 'The body'} ${error.message ?? 'is not acceptable'}.`);
  }
}

function wrongType(path: string, type: unknown): FieldError {
  return {
    code: 'INVALID_TYPE',
    field: path || '$',
    defaultMessage: `${path || 'The body'} must be of type ${typeNames(type)}.`,
    args: [type],
  };
}

/** A key that the body does not declare, and the most similar declared one. */
function unrecognised(path: string, key: string, known: readonly string[]): FieldError {
  const name = nameOf(key);
  const nearest = nearestOf(key, known);
  const choice = choiceOf(nearest, known);
  return {
    code: 'UNRECOGNIZED_FIELD',
    field: path ? `${path}.${name}` : name,
    defaultMessage: `${path || 'The body'} has no field ${name}${choice}.`,
    args: nearest === undefined ? [] : [nearest.name],
  };
}

function choiceOf(nearest: Nearest | undefined, known: readonly string[]): string {
  if (nearest === undefined) return '';
  return nearest.alike ? `; the nearest it has is ${nearest.name}` : `; ${others(nearest.name, known)}`;
}

/** Number of names in the message if no name resembles the sent name. */
const TOLD_NAMES = 12;

/** Lists the possible names if none resembles the sent name: all, or the first of them. */
function others(nearest: string, known: readonly string[]): string {
  const told = [nearest, ...known.filter((name) => name !== nearest)].slice(0, TOLD_NAMES);
  const more = known.length - told.length;
  return `it has ${told.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function tooManyItems(field: string, limit: number): FieldError {
  const defaultMessage = `${field} may have at most ${counted(limit, 'item')}.`;
  return { code: 'TOO_MANY_ITEMS', field, defaultMessage, args: [limit] };
}

const schemasById = new Map(sharedSchemas.map((schema) => [String(schema['$id']), schema]));

/** How many items the list at a place in a body may have. @returns undefined where the schema says nothing of it */
function maxItemsAt(schema: object, path: BodyPath): number | undefined {
  let place: JsonSchema | undefined = schema as JsonSchema;
  for (const step of path) {
    const reference: unknown = place['$ref'];
    const declared: JsonSchema | undefined =
      typeof reference === 'string' ? schemasById.get(reference.slice(0, -1)) : place;
    const properties = (declared?.['properties'] ?? {}) as Record<string, JsonSchema>;
    if (typeof step === 'number') place = declared?.['items'] as JsonSchema | undefined;
    else if (Object.hasOwn(properties, step)) place = properties[step];
    else return undefined;
    if (place === undefined) return undefined;
  }
  return place['maxItems'] as number | undefined;
}

function pointerOf(path: BodyPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Orders of lists and tokens are patterns; their schema says in words what is allowed. */
function patternError(path: string, error: ErrorObject): FieldError {
  const schema = (error.parentSchema ?? {}) as Record<string, unknown>;
  const words = schema['x-words'];
  if (Array.isArray(words)) {
    const prefix = schema['x-prefix'];
    const allowed = [...words, ...(typeof prefix === 'string' ? [`${prefix}{field id}`] : [])];
    return {
      code: 'UNKNOWN_ORDER',
      field: path,
      defaultMessage: `${path} must be one of: ${allowed.join(', ')}.`,
      args: allowed,
    };
  }
  return {
    code: 'INVALID_VALUE',
    field: path,
    defaultMessage: `${path} ${patternInWords(String(error.schema))}${meaning(schema)}`,
  };
}

function patternInWords(pattern: string): string {
  if (pattern === tokenPattern) return 'must be an integer or a text of its digits';
  return pattern === '\\S' ? 'must not be blank' : `must be a text that matches ${pattern}`;
}

/** Returns the description of a value: its meaning and its source. */
function meaning({ description }: Readonly<Record<string, unknown>>): string {
  return typeof description === 'string' ? `. ${description}` : '.';
}

function typeNames(type: unknown): string {
  // As with `enum`: null stands for a key that is left out.
  return Array.isArray(type) ? type.filter((name) => name !== 'null').join(' or ') : String(type);
}

/** `/communityPostFilters/postFieldFilters/0/typeId` → `communityPostFilters.postFieldFilters[0].typeId` */
function fieldPath(pointer: string): string {
  let path = '';
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const isIndex = /^\d+$/.test(name) && path !== '' && !path.endsWith('Data');
    if (isIndex) path += `[${name}]`;
    else path += path === '' ? name : `.${name}`;
  }
  return path;
}
