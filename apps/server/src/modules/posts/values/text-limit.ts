/**
 * Limits the texts of a post: reading, comparing and sending a post takes time and memory in
 * proportion to its texts.
 */
import { maximumPostTexts } from '@portico/contract';
import { type FieldError, MAX_FIELD_ERRORS } from '../../../kernel/errors.ts';

/** Texts of a post as stored. */
interface StoredTexts {
  title: string | null;
  descriptionDelta: string | null;
  customData: Readonly<Record<string, unknown>>;
  /** Bytes of texts that were not read. */
  unreadBytes?: number;
}

/**
 * Rejects texts that are too long together. Texts that exceeded the limit before may stay, as long
 * as they do not grow.
 * @param before of the post that is edited; undefined for a new one
 * @param errors an error is added to it, which names the text that grew most
 */
export function checkTextsTogether(after: StoredTexts, before: StoredTexts | undefined, errors: FieldError[]): void {
  checkSizes(bytesByPart(after), before ? bytesByPart(before) : new Map(), errors);
}

type Sizes = ReadonlyMap<string, number>;

function checkSizes(sizes: Sizes, sizesBefore: Sizes, errors: FieldError[]): void {
  const total = sum(sizes);
  if (total <= maximumPostTexts) return;
  if (total <= sum(sizesBefore) || errors.length >= MAX_FIELD_ERRORS) return;
  const grown = [...sizes].map(([part, size]) => [part, size - (sizesBefore.get(part) ?? 0)] as const);
  const [field] = grown.reduce((most, one) => (one[1] > most[1] ? one : most));
  errors.push({
    code: 'TEXT_TOO_LONG',
    field,
    defaultMessage: `The texts of a post have at most ${maximumPostTexts} bytes together.`,
    args: [maximumPostTexts],
  });
}

const sum = (sizes: Sizes) => [...sizes.values()].reduce((total, size) => total + size, 0);

function bytesByPart({ title, descriptionDelta, customData, unreadBytes = 0 }: StoredTexts): Sizes {
  return new Map([
    ['', unreadBytes],
    ['title', bytes(title)],
    ['description', bytes(descriptionDelta)],
    ...bytesOf('customData', customData),
  ]);
}

/** The same for the values of workflow screens, which have a limit of their own. */
export function checkScreenTexts(
  after: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
  errors: FieldError[],
): void {
  checkSizes(bytesOf('screenData', after), bytesOf('screenData', before), errors);
}

function bytesOf(path: string, data: Readonly<Record<string, unknown>>): Sizes {
  return new Map(Object.entries(data).map(([id, value]) => [`${path}.${id}`, bytes(value)]));
}

const bytes = (value: unknown) => (typeof value === 'string' ? Buffer.byteLength(value) : 0);
