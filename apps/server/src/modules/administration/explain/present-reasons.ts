/** Reasons → wire, with names, and with the sources of roles, rights and sight. */
import { type ExplanationReason, firstOwnRole } from '@portico/contract';
import {
  type CombinedReason,
  type FactReason,
  GrantSource,
  type Reason,
  roleName,
  type Speaker,
} from '../../../kernel/access/index.ts';
import type { FieldDefinition } from '../../communities/index.ts';
import { conditionInWords } from '../../fields/index.ts';
import type { Person } from './person.ts';
import type { PostGrant, RoleSource } from './sources.repository.ts';

/** Sources of the roles, rights and grants of the person. */
export interface Sources {
  readonly roles: readonly RoleSource[];
  readonly rights: readonly { groupId: number | null; rights: readonly string[] }[];
  readonly grants: readonly PostGrant[];
}

/** Returns the facts of a reason, each once. */
export function factsIn(reason: Reason): FactReason[] {
  return 'parts' in reason ? reason.parts.flatMap(factsIn) : [reason];
}

/** Returns the ids of the groups that a response would name. */
export function groupsIn(reasons: readonly Reason[], { roles, rights, grants }: Sources): number[] {
  const named = reasons.flatMap(factsIn).flatMap(({ kind, id }) => (kind === 'GROUP' && id !== undefined ? [id] : []));
  const principals = [...roles, ...grants].flatMap(({ principal }) => (principal < 0 ? [-principal] : []));
  return [...new Set([...named, ...principals, ...rights.flatMap(({ groupId }) => groupId ?? [])])];
}

/** Returns the ids of the tenant's roles that a response would name. */
export function rolesIn(reasons: readonly Reason[]): number[] {
  const facts = reasons.flatMap(factsIn);
  return facts.flatMap(({ kind, id = 0 }) => (kind === 'ROLE' && id >= firstOwnRole ? [id] : []));
}

/** Objects that a response may name. */
interface Names {
  /** Names of the groups that the reader may see. */
  readonly groups: ReadonlyMap<number, string>;
  /** Roles of the tenant. */
  readonly roles: ReadonlyMap<number, { readonly name: string }>;
  /** Returns a field as the reader sees it. */
  readonly fieldOf: (id: number) => FieldDefinition | undefined;
}

function speakerFor({ isCaller, name }: Person, { groups, roles, fieldOf }: Names): Speaker {
  return {
    who: isCaller ? 'you' : (name ?? 'the person'),
    verb: (you, other) => (isCaller ? you : other),
    group: (id) => {
      const group = groups.get(id);
      return group === undefined ? 'a group that you cannot see' : `the group “${group}”`;
    },
    role: (id) => {
      const role = roles.get(id);
      return role === undefined ? 'a role of the organisation' : `the role “${role.name}”`;
    },
    condition: (condition, holds) => {
      const field = fieldOf(condition.fieldId);
      return field && conditionInWords(field, condition, holds);
    },
  };
}

const grantTexts: Readonly<Record<GrantSource, string>> = {
  [GrantSource.CREATOR]: 'wrote the post',
  [GrantSource.WATCHER]: 'watches the post',
  [GrantSource.ASSIGNEE]: 'has a task on the post',
  [GrantSource.INVITED]: 'is invited',
  [GrantSource.FIELD]: 'is held in a field of the post that lets its people see it',
};

/** Presents the reasons of one person. */
export class ReasonPresenter {
  readonly #person: Person;
  readonly #sources: Sources;
  readonly #groups: ReadonlyMap<number, string>;
  readonly speaker: Speaker;

  constructor(person: Person, sources: Sources, names: Names) {
    this.#person = person;
    this.#sources = sources;
    this.#groups = names.groups;
    this.speaker = speakerFor(person, names);
  }

  /**
   * Presents a reason without clauses that are already stated.
   * @param told clauses stated next to it, all of which hold or all of which fail
   */
  present(reason: Reason, told: ReadonlySet<string> = new Set()): ExplanationReason {
    if (!('parts' in reason)) return this.#fact(reason);
    const reasons = distinct(this.#parts(reason, told));
    if (reasons.length === 1) return reasons[0]!;
    const text = textOf(reasons);
    return { kind: reason.kind, holds: reason.holds, text, reasons };
  }

  #fact(reason: FactReason): ExplanationReason {
    const given = this.#given(reason);
    const sources = given.length === 0 ? '' : ` (${textOf(given)})`;
    return {
      kind: reason.kind,
      holds: reason.holds,
      ...this.#named(reason),
      text: `${reason.say(this.speaker)}${sources}`,
      ...(given.length > 0 && { reasons: given }),
    };
  }

  #parts({ kind, holds, parts }: CombinedReason, told: ReadonlySet<string>): ExplanationReason[] {
    const facts = parts.map((part) => ('parts' in part ? undefined : this.#fact(part)));
    // Each alternative that holds is a complete reason: no other alternative makes it redundant.
    const alternatives = kind === 'ANY_OF' && holds;
    const known = new Set(told);
    if (!alternatives) for (const fact of facts) if (fact) known.add(fact.text!);
    return parts.flatMap((part, index): ExplanationReason[] => {
      const fact = facts[index];
      if (fact) return told.has(fact.text!) ? [] : [fact];
      if (this.#isTold(part as CombinedReason, known)) return [];
      const presented = this.present(part, known);
      if (!alternatives && !('parts' in part && presented.kind === part.kind)) known.add(presented.text!);
      return [presented];
    });
  }

  /**
   * Returns whether the stated clauses cover a whole reason: one alternative that holds, or every
   * part.
   */
  #isTold({ kind, holds, parts }: CombinedReason, told: ReadonlySet<string>): boolean {
    const isTold = (part: Reason): boolean =>
      'parts' in part ? this.#isTold(part, told) : told.has(this.#fact(part).text!);
    return kind === 'ANY_OF' && holds ? parts.some(isTold) : parts.every(isTold);
  }

  #named({ kind, id, name }: FactReason): { id?: number; name?: string } {
    if (kind === 'GROUP') return id === undefined ? {} : this.#group(id);
    return { id, name };
  }

  #group(id: number): { id?: number; name?: string } {
    const name = this.#groups.get(id);
    return name === undefined ? {} : { id, name };
  }

  /** Returns the sources of the role, the right or the sight in a fact. */
  #given({ kind, id, name, holds }: FactReason): ExplanationReason[] {
    const { roles, rights, grants } = this.#sources;
    // A fact without a role id depends on permissions of several roles or of a role of the tenant.
    if (kind === 'ROLE')
      return roles.filter(({ roleId }) => id === undefined || roleId === id).map((source) => this.#roleSource(source));
    if (kind === 'RIGHT')
      return rights.flatMap((source) => (source.rights.includes(name ?? '') ? [this.#holder(source.groupId)] : []));
    if (kind !== 'GRANT' || !holds) return [];
    return grants.map(({ principal, source }) => {
      const holder = this.#holder(principal < 0 ? -principal : null);
      return { ...holder, text: `${principal < 0 ? holder.text : 'the person'} ${grantTexts[source]}` };
    });
  }

  /** Presents a group, or the person without one. */
  #holder(groupId: number | null): ExplanationReason {
    if (groupId === null) return { kind: 'ACCOUNT', holds: true, text: 'given to the account itself' };
    return { kind: 'GROUP', holds: true, ...this.#group(groupId), text: this.speaker.group(groupId) };
  }

  #roleSource(source: RoleSource): ExplanationReason {
    const { principal, roleId, roleName: own, workspaceId, workspaceName } = source;
    const group = principal < 0 ? -principal : null;
    const account = this.#person.isCaller ? 'you' : 'the account';
    const to = group === null ? account : this.speaker.group(group);
    const text = `${own === null ? roleName(roleId) : `“${own}”`} is given to ${to} ${placeOf(source)}`;
    if (group !== null) return { kind: 'GROUP', holds: true, ...this.#group(group), text };
    if (workspaceId === null || workspaceName === null) return { kind: 'ACCOUNT', holds: true, text };
    return { kind: 'WORKSPACE', holds: true, id: workspaceId, name: workspaceName, text };
  }
}

function placeOf({ everywhere, workspaceId, workspaceName }: RoleSource): string {
  if (everywhere) return 'in every community';
  return workspaceId === null ? 'in the community' : `by the workspace “${workspaceName}”`;
}

function distinct(reasons: readonly ExplanationReason[]): ExplanationReason[] {
  return [...new Map(reasons.map((reason) => [`${reason.kind} ${reason.text}`, reason])).values()];
}

function textOf(reasons: readonly ExplanationReason[]): string {
  const texts = [...new Set(reasons.map(({ text }) => text ?? ''))];
  return texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}
