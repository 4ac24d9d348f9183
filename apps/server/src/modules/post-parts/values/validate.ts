/**
 * Validation of custom data and of screen data (docs/decisions/values.md): all errors of a body at
 * once; only changes are checked, and a value that equals the stored one is always accepted.
 */
import { TextFormat, ValidationType } from '@portico/contract';
import { finishInTurns } from '@portico/platform/parts';
import { Turns } from '@portico/platform/turns';
import type { WriteScope } from '../../../kernel/access/index.ts';
import { type FieldError, FieldErrors, MAX_FIELD_ERRORS } from '../../../kernel/errors.ts';
import { isDemanded, isUnknownCondition, type UsableDefault } from '../../communities/index.ts';
import {
  brokenRules,
  holdsIds,
  holdsObjects,
  type StoredValue,
  sameValue,
  shownFieldIds,
  storedIds,
  typeOf,
  ValueError,
} from '../../fields/index.ts';
import { type FieldPath, fieldError } from './errors.ts';
import type { FieldRule } from './field-rules.ts';
import { parseValue } from './parse.ts';
import { isSeen, loadReferences, type References, referenceError, WantedReferences } from './references.ts';

export interface FieldDataRequest {
  /** The fields that the input may contain, in the order in which errors are reported. */
  fields: readonly FieldRule[];
  /**
   * Fields hidden from the writer, by id: a body that names one gets the error of an unknown field,
   * whatever the field holds.
   */
  hidden?: readonly Pick<FieldRule, 'id'>[];
  /**
   * All fields of the form, if the conditions of {@link fields} may name further ones; default:
   * `fields`.
   */
  form?: readonly FieldRule[];
  /** Written values by field id as text. */
  input: Readonly<Record<string, unknown>> | undefined;
  /** Stored values before the write. */
  current: Readonly<Record<string, unknown>>;
  /**
   * Stored values of the post that a copy starts from. Equal values are accepted as they are, also
   * in a field that cannot be written: clients send the copy form back whole
   * (docs/decisions/values.md).
   */
  source?: Readonly<Record<string, unknown>>;
  /**
   * `create` and `replace` empty omitted fields (except fields that cannot be written, or that the
   * form does not show); `patch` keeps them.
   */
  mode: 'create' | 'replace' | 'patch';
  /**
   * Default values by field id, for fields without a value that the input does not name: applied if
   * the form shows the field and its parent allows the value.
   */
  defaults?: ReadonlyMap<number, UsableDefault>;
  /** 1: rich text is a delta (default); 2: plain text, in every field. */
  deltaAreaFormat?: TextFormat | undefined;
  fieldPath: FieldPath;
  /**
   * Fields that must have a value after the write, changed or not (screens); default: the fields
   * that the definition requires, when they are new or change.
   */
  requiredIds?: ReadonlySet<number>;
  /** Set when a form is edited in place: fields of `requiredIds` that had no value before may remain without one. */
  gapsMayStay?: boolean;
  /**
   * Set for writers that are not people at a form (imports, generators): they may write read-only
   * and hidden fields, and name deleted people and groups.
   */
  trusted?: boolean;
  /**
   * The values were written to fields of another community: entries out of use, and people, groups
   * and posts that are deleted or hidden from the writer, may stay if the field accepts any.
   */
  carried?: boolean;
}

export interface FieldDataResult {
  /** All values after the write. */
  stored: Record<string, unknown>;
  /** Fields with changed values, in the order of the fields. */
  changedFieldIds: number[];
  errors: FieldErrors;
}

interface ParsedField {
  field: FieldRule;
  value: StoredValue | undefined;
  changed: boolean;
  writable: boolean;
  failed: boolean;
  /** The body omits the field. */
  absent?: boolean;
  /** Number of ids hidden from the writer. */
  unseen?: number;
  /**
   * The value comes from the source of a copy, or is the default of the field: it was checked when
   * it was written there.
   */
  taken?: boolean;
  /** The value is the default of the field. */
  byDefault?: UsableDefault;
}

/** Parsed values with unresolved references. */
interface ParsedFieldData {
  request: FieldDataRequest;
  fields: ParsedField[];
  errors: FieldErrors;
}

/**
 * Validates the values of one body. Does not throw for invalid values: the caller adds the errors to its own.
 */
export async function validateFieldData(request: FieldDataRequest & { write: WriteScope }): Promise<FieldDataResult> {
  const wanted = new WantedReferences();
  const parsed = await parseFieldData(request, wanted);
  return checkFieldData(parsed, await loadReferences(request.write, wanted), request.write.now);
}

/**
 * First half of {@link validateFieldData}, for many bodies: parses the values and collects their
 * references.
 * @param turns of the whole work: a body may hold a mebibyte of rich text
 */
export async function parseFieldData(
  request: FieldDataRequest,
  wanted: WantedReferences,
  turns = new Turns(),
): Promise<ParsedFieldData> {
  const { input = {}, current, mode, fieldPath } = request;
  const format = request.deltaAreaFormat ?? TextFormat.DELTA;
  const errors = new FieldErrors();
  errors.push(...unknownFields(request));
  if (request.trusted) wanted.deletedToo = true;
  const parse = (field: FieldRule): ParsedField => {
    const key = String(field.id);
    const before = current[key] as StoredValue | undefined;
    const shown = mode === 'create' ? field.visibleInCreate : field.visibleInEdit;
    const writable = request.trusted === true || (!field.readonly && shown);
    const kept = { field, value: before, changed: false, writable, failed: false };
    const raw = Object.hasOwn(input, key) ? input[key] : undefined;
    const byDefault = raw === undefined && before === undefined ? request.defaults?.get(field.id) : undefined;
    if (byDefault) return { ...kept, value: byDefault.value, changed: true, taken: true, byDefault };
    if (raw === undefined || raw === null) {
      if (raw === null && !writable && before !== undefined) return notWritable(fieldPath, kept, errors);
      if (!writable || mode === 'patch') return kept;
      return { ...kept, value: undefined, changed: before !== undefined, absent: true };
    }
    if (sameValue(raw, before)) return kept;
    const original = request.source?.[key] as StoredValue | undefined;
    const taken = { ...kept, value: original, changed: true, taken: true };
    if (original !== undefined && sameValue(raw, original)) return taken;
    let value: StoredValue | undefined;
    try {
      value = parseValue(field, raw, format);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      errors.push(fieldError(fieldPath, field, error));
      return { ...kept, failed: true };
    }
    if (sameValue(value, before)) return kept;
    if (original !== undefined && sameValue(value, original)) return taken;
    if (!writable) {
      if (value === undefined) return kept;
      return notWritable(fieldPath, kept, errors);
    }
    if (holdsIds(field)) wanted.add(field, storedIds(value));
    return { ...kept, value, changed: true };
  };
  const found: ParsedField[] = [];
  for (const field of request.fields) {
    if (turns.isOver) await turns.next();
    found.push(parse(field));
  }
  const fields = withoutUnfitDefaults(found, request);
  wantBelowChangedParents(fields, wanted);
  if (!request.trusted) {
    for (const { field, changed } of fields) {
      if (changed && holdsObjects(field)) wanted.add(field, storedIds(current[String(field.id)]), true);
    }
  }
  return { request, fields, errors };
}

/**
 * Removes defaults from fields that the form does not show, and defaults that do not belong to the
 * value of the parent field.
 */
function withoutUnfitDefaults(fields: ParsedField[], request: FieldDataRequest): ParsedField[] {
  if (fields.every(({ byDefault }) => !byDefault)) return fields;
  const given = Object.fromEntries(fields.map(({ field, value }) => [String(field.id), value]));
  const shown = shownFieldIds(request.form ?? request.fields, { ...request.current, ...given });
  const byId = new Map(fields.map((entry) => [entry.field.id, entry]));
  const fits = ({ field, byDefault }: ParsedField): boolean => {
    if (!byDefault) return true;
    if (!shown.has(field.id)) return false;
    if (field.parentId === null) return true;
    const parent = byId.get(field.parentId);
    const above = parent ? fits(parent) && parent.value : request.current[String(field.parentId)];
    const chosen = above ? storedIds(above as StoredValue) : [];
    return byDefault.parentIds.every((ids) => ids.length === 0 || ids.some((id) => chosen.includes(id)));
  };
  return fields.map((entry) => {
    if (fits(entry)) return entry;
    const { byDefault: _default, taken: _taken, ...others } = entry;
    return { ...others, value: undefined, changed: false, absent: true };
  });
}

function notWritable(fieldPath: FieldPath, entry: ParsedField, errors: FieldErrors): ParsedField {
  const text = 'this field cannot be written; leave it out or send its present value.';
  errors.push(fieldError(fieldPath, entry.field, new ValueError('READ_ONLY_FIELD', text)));
  return { ...entry, failed: true };
}

/** An unchanged value of a child field is validated again when the parent value changed. */
function wantBelowChangedParents(fields: readonly ParsedField[], wanted: WantedReferences): void {
  const changed = new Set(fields.filter((parsed) => parsed.changed).map((parsed) => parsed.field.id));
  for (const { field, value, changed: isNew } of fields) {
    if (field.parentId !== null && changed.has(field.parentId) && holdsIds(field)) {
      wanted.add(field, storedIds(value), !isNew);
    }
  }
}

/**
 * Keeps references that the writer does not see: a form that does not show them cannot remove them,
 * regardless of the body. They count as a value for required fields, but not among the items that
 * the writer may send.
 */
function keepUnseen(entry: ParsedField, request: FieldDataRequest, references: References): ParsedField {
  const { field, value, changed, failed } = entry;
  const before = request.current[String(field.id)];
  if (request.trusted || !changed || failed || before === undefined || !holdsObjects(field)) return entry;
  const seen = storedIds(before).filter((id) => isSeen(field, id, references));
  const unseen = storedIds(before).filter((id) => !isSeen(field, id, references));
  if (unseen.length === 0) return entry;
  const given = storedIds(value).filter((id) => !unseen.includes(id));
  if (sameValue(given, seen)) return { ...entry, value: before as StoredValue, changed: false };
  return { ...entry, value: [...given, ...unseen], unseen: unseen.length };
}

function unknownFields({ fields, hidden = [], input = {}, current, fieldPath }: FieldDataRequest): FieldError[] {
  const known = new Set(fields.map((field) => String(field.id)));
  const unseen = new Set(hidden.map((field) => String(field.id)));
  const isPresent = (key: string) =>
    !unseen.has(key) && Object.hasOwn(current, key) && sameValue(input[key], current[key]);
  const unknown: string[] = [];
  for (const key of Object.keys(input)) {
    // One more than an answer lists tells that there are more.
    if (unknown.length > MAX_FIELD_ERRORS) break;
    if (!known.has(key) && !isPresent(key)) unknown.push(key);
  }
  const args = fields.slice(0, 100).map(({ id }) => id);
  return unknown.map((key) => ({
    code: 'UNKNOWN_FIELD',
    field: `${fieldPath}.${key.slice(0, 100)}`,
    args,
    ...(/^\d{1,15}$/.test(key) && { customFieldId: Number(key) }),
  }));
}

/**
 * Second half of {@link validateFieldData}.
 * @param now epoch milliseconds, for rules about past and future
 * @param turns of the whole work, since the patterns of many fields and bodies together take long
 */
export async function checkFieldData(
  parsed: ParsedFieldData,
  references: References,
  now: number,
  turns = new Turns(),
): Promise<FieldDataResult> {
  const { request } = parsed;
  const errors = new FieldErrors();
  errors.push(...parsed.errors.list);
  const { fields, shown, shownBefore } = keepHidden(
    parsed.fields.map((entry) => keepUnseen(entry, request, references)),
    request,
  );
  const byId = new Map(fields.map((entry) => [entry.field.id, entry]));
  const stored: Record<string, unknown> = { ...request.current };
  const changedFieldIds: number[] = [];
  for (const entry of fields) {
    const { field, value, changed } = entry;
    if (entry.failed) continue;
    if (turns.isOver) await turns.next();
    const problem = (error: ValueError, rule?: FieldRule['validations'][number]) =>
      errors.push(fieldError(request.fieldPath, field, error, rule));
    const asked = shown.has(field.id);
    if (asked && lacksValue(entry, request, !shownBefore.has(field.id))) {
      const rule = field.validations.find((validation) => validation.typeId === ValidationType.REQUIRED);
      problem(new ValueError('REQUIRED_FIELD', 'this field is required; send a value.'), rule);
      continue;
    }
    const parent = field.parentId === null ? undefined : byId.get(field.parentId);
    const checkedBefore = entry.taken === true && (!parent?.changed || parent.taken === true);
    if (holdsIds(field) && (changed || parent?.changed) && !checkedBefore) {
      const kept = parent?.changed ? [] : storedIds(request.current[String(field.id)]);
      const toCheck = storedIds(value).filter((id) => !kept.includes(id));
      const above = parent && storedIds(parent.value);
      const error = referenceError(field, toCheck, above, references, request.carried);
      if (error) problem(error);
    }
    if (!entry.taken && (changed || (request.mode === 'create' && entry.writable))) {
      const demanded = asked && !isUnknownCondition(field);
      for (const { rule, error } of await finishInTurns(brokenRules(field, value, now, demanded, entry.unseen)))
        problem(error, rule);
    }
    if (!changed) continue;
    changedFieldIds.push(field.id);
    if (value === undefined) delete stored[String(field.id)];
    else stored[String(field.id)] = value;
  }
  return { stored, changedFieldIds, errors };
}

/**
 * Keeps the values of fields that the form does not show and the body omits.
 * @returns the fields, and the ids of the fields that the form shows after the write and before it
 */
function keepHidden(fields: readonly ParsedField[], request: FieldDataRequest) {
  const form = request.form ?? request.fields;
  if (form.every(({ conditions }) => conditions.length === 0)) {
    const all = new Set(form.map(({ id }) => id));
    return { fields, shown: all, shownBefore: all };
  }
  const after: Record<string, unknown> = { ...request.current };
  for (const { field, value, failed } of fields) if (!failed) after[String(field.id)] = value;
  const shown = shownFieldIds(form, after);
  const kept = fields.map((entry) => {
    const before = request.current[String(entry.field.id)] as StoredValue | undefined;
    return entry.absent && !shown.has(entry.field.id) ? { ...entry, value: before, changed: false } : entry;
  });
  return { fields: kept, shown, shownBefore: shownFieldIds(form, request.current) };
}

/** @param revealed the form shows the field because of this write */
function lacksValue(
  { field, value, changed, writable }: ParsedField,
  request: FieldDataRequest,
  revealed: boolean,
): boolean {
  // Text of white space only counts as no value; such rich text was read as empty already.
  const empty = value === undefined || (typeOf(field).kind === 'text' && String(value).trim() === '');
  if (!empty) return false;
  if (request.requiredIds)
    return request.requiredIds.has(field.id) && (changed || revealed || request.gapsMayStay !== true);
  return isDemanded(field) && writable && (request.mode === 'create' || changed || revealed);
}
