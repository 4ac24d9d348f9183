/**
 * Limits the texts and the ids of a post: reading, comparing and sending a post takes time and
 * memory in proportion to them.
 */
import { maximumPostIds, maximumPostTexts } from '@portico/contract';
import { type FieldErrors, MAX_FIELD_ERRORS } from '../../../kernel/errors.ts';

/** Texts of a post as stored. */
interface StoredTexts {
  title: string | null;
  descriptionDelta: string | null;
  customData: Readonly<Record<string, unknown>>;
  /** Bytes of texts that were not read. */
  unreadBytes?: number;
}

/**
 * Rejects texts that are too long together, and lists with too many ids together. Those that
 * exceeded a limit before may stay, as long as they do not grow.
 * @param before of the post that is edited; undefined for a new one
 * @param errors an error is added to it, which names the text that grew most
 */
export function checkTextsTogether(after: StoredTexts, before: StoredTexts | undefined, errors: FieldErrors): void {
  checkSizes(bytesByPart(after), before ? bytesByPart(before) : new Map(), TEXTS, errors);
  checkIds('customData', after.customData, before?.customData ?? {}, errors);
}

/** A limit of all parts of a post together. */
interface Limit {
  readonly most: number;
  readonly code: 'TEXT_TOO_LONG' | 'TOO_MANY_ITEMS';
  readonly message: string;
}

const TEXTS: Limit = {
  most: maximumPostTexts,
  code: 'TEXT_TOO_LONG',
  message: `The texts of a post have at most ${maximumPostTexts} bytes together.`,
};
const IDS: Limit = {
  most: maximumPostIds,
  code: 'TOO_MANY_ITEMS',
  message: `The lists of a post have at most ${maximumPostIds} ids together.`,
};

type Sizes = ReadonlyMap<string, number>;

function checkSizes(sizes: Sizes, sizesBefore: Sizes, { most, code, message }: Limit, errors: FieldErrors): void {
  const total = sum(sizes);
  if (total <= most) return;
  if (total <= sum(sizesBefore) || errors.length >= MAX_FIELD_ERRORS) return;
  const grown = [...sizes].map(([part, size]) => [part, size - (sizesBefore.get(part) ?? 0)] as const);
  const [field] = grown.reduce((largest, one) => (one[1] > largest[1] ? one : largest));
  errors.add(field, code, message, [most]);
}

const sum = (sizes: Sizes) => [...sizes.values()].reduce((total, size) => total + size, 0);

function bytesByPart({ title, descriptionDelta, customData, unreadBytes = 0 }: StoredTexts): Sizes {
  return new Map([
    ['', unreadBytes],
    ['title', bytes(title)],
    ['description', bytes(descriptionDelta)],
    ...sizesOf('customData', customData, bytes),
  ]);
}

/** The same for the values of workflow screens, which have a limit of their own. */
export function checkScreenTexts(
  after: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
  errors: FieldErrors,
): void {
  checkSizes(sizesOf('screenData', after, bytes), sizesOf('screenData', before, bytes), TEXTS, errors);
  checkIds('screenData', after, before, errors);
}

function checkIds(path: string, after: Values, before: Values, errors: FieldErrors): void {
  checkSizes(sizesOf(path, after, idCount), sizesOf(path, before, idCount), IDS, errors);
}

type Values = Readonly<Record<string, unknown>>;

function sizesOf(path: string, data: Values, size: (value: unknown) => number): Sizes {
  return new Map(Object.entries(data).map(([id, value]) => [`${path}.${id}`, size(value)]));
}

const idCount = (value: unknown) => (Array.isArray(value) ? value.length : 0);
const bytes = (value: unknown) => (typeof value === 'string' ? Buffer.byteLength(value) : 0);
