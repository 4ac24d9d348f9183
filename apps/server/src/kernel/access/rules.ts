/**
 * Rules that decide and can say why. A policy is put together from facts with {@link all}, {@link any} and {@link choose}; the same
 * object answers whether it holds (cheaply: nothing is kept and no text is made) and, when somebody asks, which facts decided.
 *
 * A rule is about a case: an object that holds everything the facts look at, such as the actor and the post.
 */
import type { ConditionOperator, ReasonKind } from '@portico/contract';

/** How a fact speaks of the person that the explanation is about. */
export interface Speaker {
  /** `you`, or the name of the person. */
  readonly who: string;
  /** The form of a verb that goes with {@link who}. */
  verb(you: string, other: string): string;
  /** A group in words, without its name where the reader may not see it. */
  group(id: number): string;
  /** A role of the tenant in words. */
  role(id: number): string;
  /** Whether a condition on a field holds, in words; undefined where the reader does not see the field. */
  condition(condition: ToldCondition, holds: boolean): string | undefined;
}

/** A condition on the value of a field. */
interface ToldCondition {
  readonly fieldId: number;
  readonly operator: ConditionOperator;
  readonly values: readonly (number | string | boolean)[];
}

/** A fact that decided. */
export interface FactReason {
  readonly kind: Exclude<ReasonKind, 'ALL_OF' | 'ANY_OF'>;
  readonly holds: boolean;
  /** The object that the fact is about, such as a state. */
  readonly id?: number;
  readonly name?: string;
  /** Returns the fact as a clause without a full stop. */
  say(speaker: Speaker): string;
}

/** Reason of a decision: a fact, or several rules that must hold together or in the alternative. */
export type Reason = FactReason | CombinedReason;

/**
 * The deciding parts: the failed parts of a failed `ALL_OF`, the parts that hold of an `ANY_OF`
 * that holds, else all parts.
 */
export interface CombinedReason {
  readonly kind: 'ALL_OF' | 'ANY_OF';
  readonly holds: boolean;
  readonly parts: readonly Reason[];
}

/** A question about a case that is answered with yes or no. */
export interface Rule<in Case> {
  readonly holds: (about: Case) => boolean;
  readonly explain: (about: Case) => Reason;
}

/** Description of a fact, apart from whether it holds. */
interface FactTexts<in Case> {
  readonly kind: FactReason['kind'];
  /** The object that the fact is about. */
  readonly about?: (about: Case) => { id?: number; name?: string } | undefined;
  /** A clause for the one and for the other outcome. */
  readonly yes: (speaker: Speaker, about: Case) => string;
  readonly no: (speaker: Speaker, about: Case) => string;
}

/** A rule that looks at the case itself. */
export function fact<Case>(holds: (about: Case) => boolean, texts: FactTexts<Case>): Rule<Case> {
  return {
    holds,
    explain: (about) => {
      const is = holds(about);
      return {
        kind: texts.kind,
        holds: is,
        ...texts.about?.(about),
        say: (speaker) => (is ? texts.yes : texts.no)(speaker, about),
      };
    },
  };
}

/** Parts that are of the same kind are told as one list; those without a reason are left out. */
function combined(kind: CombinedReason['kind'], holds: boolean, parts: readonly Reason[]): Reason {
  const flat = parts.flatMap((part) =>
    'parts' in part && (part.parts.length === 0 || (part.kind === kind && part.holds === holds)) ? part.parts : [part],
  );
  return flat.length === 1 ? flat[0]! : { kind, holds, parts: flat };
}

/** Holds where all of the rules do. */
export function all<Case>(...rules: readonly Rule<Case>[]): Rule<Case> {
  return {
    holds: (about) => {
      for (const rule of rules) if (!rule.holds(about)) return false;
      return true;
    },
    explain: (about) => {
      const parts = rules.map((rule) => rule.explain(about));
      const failed = parts.filter((part) => !part.holds);
      return combined('ALL_OF', failed.length === 0, failed.length === 0 ? parts : failed);
    },
  };
}

/** Holds where one of the rules does. */
export function any<Case>(...rules: readonly Rule<Case>[]): Rule<Case> {
  return {
    holds: (about) => {
      for (const rule of rules) if (rule.holds(about)) return true;
      return false;
    },
    explain: (about) => anyOf(rules.map((rule) => rule.explain(about))),
  };
}

function anyOf(parts: readonly Reason[]): Reason {
  const held = parts.filter((part) => part.holds);
  return combined('ANY_OF', held.length > 0, held.length > 0 ? held : parts);
}

/** Holds where one of the items of a case passes. */
export function anyItem<Case, Item>(
  items: (about: Case) => readonly Item[],
  passes: (about: Case, item: Item) => boolean,
  texts: (item: Item) => FactTexts<Case>,
): Rule<Case> {
  return {
    holds: (about) => {
      for (const item of items(about)) if (passes(about, item)) return true;
      return false;
    },
    explain: (about) =>
      anyOf(items(about).map((item) => fact((of: Case) => passes(of, item), texts(item)).explain(about))),
  };
}

/** The rule that a case asks for; the choice itself is no reason. */
export function choose<Case>(of: (about: Case) => Rule<Case>): Rule<Case> {
  return { holds: (about) => of(about).holds(about), explain: (about) => of(about).explain(about) };
}

/** Never holds, and gives no reason: in place of a part of {@link any} that a case does not have. */
export const never: Rule<unknown> = {
  holds: () => false,
  explain: () => ({ kind: 'ANY_OF', holds: false, parts: [] }),
};

/** A rule about a part of a case. */
export function on<Case, Part>(part: (about: Case) => Part, rule: Rule<Part>): Rule<Case> {
  return { holds: (about) => rule.holds(part(about)), explain: (about) => rule.explain(part(about)) };
}

/** Speaks to the caller, without names. */
const toCaller: Speaker = {
  who: 'you',
  verb: (you) => you,
  group: () => 'a group',
  role: () => 'a role of the organisation',
  condition: () => undefined,
};

/** Says to the caller why a rule does not hold, as a sentence that names the same facts as an explanation. */
export function refusalOf<Case>(rule: Rule<Case>, about: Case): string {
  const factsOf = (reason: Reason): FactReason[] => ('parts' in reason ? reason.parts.flatMap(factsOf) : [reason]);
  const clauses = factsOf(rule.explain(about)).map((reason) => reason.say(toCaller));
  const text = [...new Set(clauses)].join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
