/** Shapes and limits of rich text: a Quill delta that is a document, that is, inserts only. */

/** Longest delta as JSON, in bytes of UTF-8 (1 MiB). Plain text and Markdown have the same limit. */
export const MAX_DELTA_BYTES = 1_048_576;
/** Most operations of one delta. */
export const MAX_DELTA_OPS = 20_000;
/** Deepest nesting of values inside an attribute; Quill's own attributes are scalars. */
export const MAX_ATTRIBUTE_DEPTH = 4;
/** Most attributes of one operation, and most entries of one list or object inside an attribute. */
export const MAX_ATTRIBUTES = 64;

export type AttributeValue = string | number | boolean | null | AttributeValue[] | { [key: string]: AttributeValue };
export type Attributes = { [name: string]: AttributeValue };

/**
 * A mentioned user: `{"mention": {"id": 17, "value": "Ada Rossi"}}` (docs/decisions/writes.md); the id may be a
 * string of digits.
 */
export type Reference = {
  id?: number | string;
  value: string;
  denotationChar?: string;
  [key: string]: AttributeValue | undefined;
};

/** The embeds that are understood. Everything else is refused. */
export type Embed =
  | { image: string }
  | { video: string }
  | { formula: string }
  | { mention: Reference & { id: number | string } }
  | { hashtag: Reference }
  | { divider: AttributeValue };

export const EMBED_NAMES = ['image', 'video', 'formula', 'mention', 'hashtag', 'divider'] as const;

export interface DeltaOp {
  insert: string | Embed;
  attributes?: Attributes;
}
