/** Kinds of values of flags, as used by the generated table of body fields. */

/** Form of a value on the command line. */
export type FlagKind = 'text' | 'integer' | 'number' | 'boolean' | 'texts' | 'integers' | 'json';

/** Names of the numbers of a field. */
export type Codes = Readonly<Record<string, number>>;

/**
 * A field of a body: its name in the interface, its kind, its description, and the names of its
 * numbers if they have any.
 */
export type BodyField = readonly [name: string, kind: FlagKind, description: string, codes?: Codes];
