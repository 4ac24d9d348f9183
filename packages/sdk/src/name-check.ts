/** Whether an input holds names: the code that resolves them is loaded only then. */
import {
  customFieldOrderPrefix,
  deprecatedCustomFieldOrderPrefix,
  deprecatedPostOrders,
  type OperationId,
  postOrders,
  TextFormat,
} from '@portico/contract';
import { factsOfOperation } from './api.ts';
import type { NamedFilters } from './inputs.ts';

type AnyInput = Readonly<Record<string, unknown>>;

/** Members whose values are communities or people. */
export const COMMUNITY_MEMBER: RegExp = /(?:^c|C)ommunityIds?$/;
export const PERSON_MEMBER: RegExp = /(?:^u|U)serIds?$/;

/** Members that contain names of custom fields, or a file. */
export const OPAQUE: ReadonlySet<string> = new Set(['customData', 'screenData', 'where', 'file', 'metadata']);

/** Whether a value is a name: no number, and no list of numbers, which parameters of queries may be. */
export const isName = (value: unknown): value is string => typeof value === 'string' && /[^\d\s,-]/.test(value);

export const isObject = (value: unknown): value is AnyInput =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Whether an input has anything but ids in places that take names. */
export function mayHoldNames(id: OperationId, input: AnyInput): boolean {
  if (holdsReferences(input) || holdsNamedValues(input)) return true;
  if (id !== 'listCommunityPostsFiltered' && id !== 'listCommunityPosts') return false;
  return hasNames(input, id === 'listCommunityPosts');
}

/** Whether communities, people or a transition, of the input or of an object in it, have names instead of ids. */
export function holdsReferences(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsReferences);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, member]) => {
    if (COMMUNITY_MEMBER.test(name) || PERSON_MEMBER.test(name) || name === 'workflowOperationId')
      return (Array.isArray(member) ? member : [member]).some(isName);
    return !OPAQUE.has(name) && holdsReferences(member);
  });
}

/** Whether values of fields, also of the posts of a bulk write, need the definition. */
function holdsNamedValues(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsNamedValues);
  if (!isObject(value)) return false;
  const { customData, screenData, patch, posts } = value;
  if ([customData, screenData].some((values) => isObject(values) && valuesNeedDefinition(values))) return true;
  return holdsNamedValues(patch) || holdsNamedValues(posts);
}

/**
 * Whether values use names, or types that the definition turns into JSON. A map with numbers as
 * keys and JSON values only is sent unchanged.
 */
export function valuesNeedDefinition(values: AnyInput): boolean {
  return Object.entries(values).some(([key, value]) => !/^\d+$/.test(key) || holdsDateOrBigInt(value));
}

function holdsDateOrBigInt(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsDateOrBigInt);
  return typeof value === 'bigint' || value instanceof Date;
}

/** Whether a list has filters or an order by name, so that the definition is needed. */
export function hasNames(input: NamedFilters, deprecated: boolean): boolean {
  if (input.where !== undefined || input.state !== undefined || input.hashtags !== undefined) return true;
  return input.orderBy !== undefined && wireOrder(input.orderBy, deprecated) === undefined;
}

/** Returns an order that the interface knows; undefined for the name of a field. */
export function wireOrder(orderBy: string, deprecated: boolean): string | undefined {
  const names: readonly string[] = deprecated ? Object.keys(deprecatedPostOrders) : postOrders;
  const prefix = deprecated ? deprecatedCustomFieldOrderPrefix : customFieldOrderPrefix;
  return names.includes(orderBy) || orderBy.startsWith(prefix) ? orderBy : undefined;
}

/** Texts that are plain unless they are deltas, and the members that hold their formats. */
const TEXT_FORMATS = [
  ['description', 'descriptionFormat'],
  ['comment', 'commentFormat'],
] as const;

/** A text without a format is plain text unless it is a delta. @param names members of the body */
export function withTextFormats(input: AnyInput, names: readonly string[]): AnyInput {
  const formats = TEXT_FORMATS.filter(([text, format]) => {
    const value = input[text];
    const takesFormat = names.includes(format);
    return takesFormat && typeof value === 'string' && value !== '' && input[format] === undefined && !isDelta(value);
  });
  if (formats.length === 0) return input;
  return { ...input, ...Object.fromEntries(formats.map(([, format]) => [format, TextFormat.PLAIN_TEXT])) };
}

/** Adds the formats of texts, also to the posts and changes of a bulk write. */
export function withTextFormatsOf(id: OperationId, input: AnyInput): AnyInput {
  const each = (value: unknown, body: OperationId) =>
    withTextFormats(value as AnyInput, factsOfOperation(body).members);
  if (id === 'createPosts' && Array.isArray(input['posts']))
    return { ...input, posts: input['posts'].map((post) => each(post, 'createCustomPost')) };
  if (id !== 'patchPosts') return each(input, id);
  const { patch, posts } = input as { patch?: AnyInput; posts?: AnyInput[] };
  const changed = (post: AnyInput) => (post['patch'] ? { ...post, patch: each(post['patch'], 'patchPost') } : post);
  return {
    ...input,
    ...(patch && { patch: each(patch, 'patchPost') }),
    ...(Array.isArray(posts) && { posts: posts.map(changed) }),
  };
}

/** Whether a text is a delta, bare or with `ops`. */
export function isDelta(text: string): boolean {
  try {
    const value = JSON.parse(text) as { ops?: unknown } | null;
    const operations = Array.isArray(value) ? value : value?.ops;
    return Array.isArray(operations) && operations.every((each) => typeof each === 'object' && each !== null);
  } catch {
    return false; // not JSON, so plain text
  }
}
