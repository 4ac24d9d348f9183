/** The kinds of values that flags take; what the generated table of body fields speaks of. */

/** How a value is written on the command line. */
export type FlagKind = 'text' | 'integer' | 'number' | 'boolean' | 'texts' | 'integers' | 'json';

/** Names of the numbers that a field takes. */
export type Codes = Readonly<Record<string, number>>;

/** One field of a body: its name on the wire, its kind, its description, and where its numbers have names, these. */
export type BodyField = readonly [name: string, kind: FlagKind, description: string, codes?: Codes];
