/** The random test's writes of administration: people, groups, catalogs, the workspace. */
import { type Act, type Play, statusOf } from './actions.fixture.ts';
import type { ModelCatalog, ModelGroup } from './model.fixture.ts';

const ADMIN = '/portal/api/external/v2/admin/manage';
const NAMES = ['Alpha', 'Beta', 'Gamma', 'Ωmega', "O'Neil"];

/** The administrator mostly; others get a 403 before anything else is looked at. */
function someone(play: Play): { caller: number; may: boolean } {
  const { admin } = play.world.people;
  const caller = play.random.chance(0.85) ? admin : play.random.pick(play.people);
  return { caller, may: caller === admin };
}
const token = (play: Play, present: number) =>
  play.random.chance(0.8) ? present : present + play.random.pick([-1, 1]);
const some = <T extends { deleted: boolean }>(play: Play, all: Map<number, T>): T | undefined =>
  all.size === 0 ? undefined : play.random.pick([...all.values()]);
const candidates = (play: Play) => [
  ...play.people,
  ...[...play.model.users.values()].filter((user) => !user.deleted).map((user) => user.id),
];

function users(play: Play): Act {
  const { random, model } = play;
  const { caller, may } = someone(play);
  const known = some(play, model.users);
  const firstname = `${random.pick(NAMES)} ${random.below(1000)}`;
  const contactEmail = random.chance(0.5) ? `p${random.below(30)}@people.test` : undefined;
  const taken = [...model.users.values()].some(
    (user) => !user.deleted && user !== known && user.contactEmail !== undefined && user.contactEmail === contactEmail,
  );
  const kind = random.below(10);
  if (!known || kind < 4) {
    const conflict =
      taken ||
      (known !== undefined && !known.deleted && contactEmail !== undefined && known.contactEmail === contactEmail);
    return {
      name: 'create-user',
      caller,
      method: 'POST',
      path: `${ADMIN}/users`,
      body: { firstname, lastname: 'Made', ...(contactEmail && { contactEmail }) },
      status: statusOf([!may, 403], [conflict, 400]),
      apply: (answer) => {
        const { userId: id, nextOccToken } = answer;
        model.users.set(id, { id, token: nextOccToken, firstname, contactEmail, deleted: false });
      },
    };
  }
  if (kind < 8) {
    const given = token(play, known.token);
    const nameless = random.chance(0.1);
    return {
      name: 'edit-user',
      caller,
      method: 'PUT',
      path: `${ADMIN}/users/${known.id}`,
      body: {
        ...(!nameless && { firstname }),
        lastname: 'Made',
        ...(contactEmail && { contactEmail }),
        occToken: given,
      },
      // Faults of the form itself are reported before the token is compared; an address in use
      // after it.
      status: statusOf([!may, 403], [known.deleted, 404], [nameless, 400], [given !== known.token, 409], [taken, 400]),
      present: known.token,
      apply: (answer) => Object.assign(known, { token: answer.nextOccToken, firstname, contactEmail }),
    };
  }
  return {
    name: 'delete-user',
    caller,
    method: 'DELETE',
    path: `${ADMIN}/users/${known.id}`,
    status: statusOf([!may, 403], [known.deleted, 404]),
    apply: () => {
      known.deleted = true;
      for (const group of model.groups.values()) if (group.members.delete(known.id)) group.token += 1;
    },
  };
}

function groups(play: Play): Act {
  const { random, model } = play;
  const { caller, may } = someone(play);
  const made = [...model.groups.values()].filter((group) => group.id !== play.world.groupId);
  const known: ModelGroup | undefined = made.length > 0 ? random.pick(made) : undefined;
  const name = `${random.pick(NAMES)} ${random.below(1000)}`;
  const visible = random.chance(0.5);
  const members = random.subset(candidates(play), 0.3);
  const kind = random.below(10);
  if (!known || kind < 3) {
    return {
      name: 'create-group',
      caller,
      method: 'POST',
      path: `${ADMIN}/groups`,
      body: { name, visible, memberIds: members },
      status: may ? 200 : 403,
      apply: (answer) => {
        const { groupId: id, nextOccToken } = answer;
        model.groups.set(id, { id, token: nextOccToken, name, visible, members: new Set(members), deleted: false });
      },
    };
  }
  const given = token(play, known.token);
  if (kind < 6) {
    const keeps = random.chance(0.4);
    const shown = random.chance(0.7) ? visible : undefined;
    return {
      name: 'edit-group',
      caller,
      method: 'PUT',
      path: `${ADMIN}/groups/${known.id}`,
      body: {
        name,
        ...(shown !== undefined && { visible: shown }),
        ...(!keeps && { memberIds: members }),
        occToken: given,
      },
      status: statusOf([!may, 403], [known.deleted, 404], [given !== known.token, 409]),
      present: known.token,
      apply: (answer) => {
        // Left out, `visible` becomes false and the members stay.
        Object.assign(known, { token: answer.nextOccToken, name, visible: shown ?? false });
        if (!keeps) known.members = new Set(members);
      },
    };
  }
  if (kind < 9) {
    const remove = random.subset([...known.members], 0.3);
    return {
      name: 'edit-group-members',
      caller,
      method: 'PUT',
      path: `${ADMIN}/groups/members`,
      body: { groupMembers: [{ id: known.id, occToken: given, addUserIds: members, deleteUserIds: remove }] },
      status: may ? 200 : 403,
      apply: (answer) => {
        const ids = (list: { id: number }[]) => list.map(({ id }) => id).join();
        const outcome = `${ids(answer.successGroups)}/${ids(answer.concurrencyErrorGroups)}`;
        const judged = given === known.token ? `${known.id}/` : `/${known.id}`;
        const expected = known.deleted ? '/' : judged;
        if (outcome !== expected) throw new Error(`outcome ${outcome}, expected ${expected}`);
        if (expected !== `${known.id}/`) return;
        for (const id of remove) known.members.delete(id);
        for (const id of members) known.members.add(id);
        known.token = answer.successGroups[0].occToken;
      },
    };
  }
  return {
    name: 'delete-group',
    caller,
    method: 'DELETE',
    path: `${ADMIN}/groups/${known.id}`,
    status: statusOf([!may, 403], [known.deleted, 404]),
    apply: () => {
      known.deleted = true;
    },
  };
}

function catalogs(play: Play): Act {
  const { random, model } = play;
  const { caller, may } = someone(play);
  const name = `${random.pick(NAMES)} ${random.below(1000)}`;
  const known: ModelCatalog | undefined = some(play, model.catalogs);
  const kind = random.below(10);
  if (!known || kind < 2) {
    return {
      name: 'create-catalog',
      caller,
      method: 'POST',
      path: `${ADMIN}/catalogs`,
      body: { name: { en: name } },
      status: may ? 200 : 403,
      apply: (answer) => {
        const { id } = answer.catalog;
        model.catalogs.set(id, { id, token: answer.occToken, name, deleted: false, entries: new Map() });
      },
    };
  }
  const deleted = random.chance(0.3);
  if (kind < 4) {
    const given = token(play, known.token);
    return {
      name: 'edit-catalog',
      caller,
      method: 'PUT',
      path: `${ADMIN}/catalogs/${known.id}`,
      body: { name: { en: name }, deleted, occToken: given },
      status: statusOf([!may, 403], [given !== known.token, 409]),
      present: known.token,
      apply: (answer) => Object.assign(known, { token: answer.occToken, name, deleted }),
    };
  }
  if (kind < 5) {
    return {
      name: 'edit-catalog-deleted',
      caller,
      method: 'PUT',
      path: `${ADMIN}/catalogs/${known.id}/deleted`,
      body: { deleted },
      status: may ? 200 : 403,
      apply: () => {
        if (known.deleted !== deleted) known.token += 1;
        known.deleted = deleted;
      },
    };
  }
  const [entryId, entry] = known.entries.size > 0 ? random.pick([...known.entries]) : [undefined, undefined];
  if (entryId === undefined || !entry || kind < 7) {
    return {
      name: 'create-catalog-entry',
      caller,
      method: 'POST',
      path: `${ADMIN}/catalogs/${known.id}/entries`,
      body: { label: { en: name } },
      status: may ? 200 : 403,
      apply: (answer) =>
        void known.entries.set(answer.entry.id, { token: answer.occToken, label: name, deleted: false }),
    };
  }
  const given = token(play, entry.token);
  return kind < 9
    ? {
        name: 'edit-catalog-entry',
        caller,
        method: 'PUT',
        path: `${ADMIN}/catalogs/${known.id}/entries/${entryId}`,
        body: { label: { en: name }, deleted, occToken: given },
        status: statusOf([!may, 403], [given !== entry.token, 409]),
        present: entry.token,
        apply: (answer) => Object.assign(entry, { token: answer.occToken, label: name, deleted }),
      }
    : {
        name: 'edit-catalog-entry-deleted',
        caller,
        method: 'PUT',
        path: `${ADMIN}/catalogs/${known.id}/entries/${entryId}/deleted`,
        body: { deleted },
        status: may ? 200 : 403,
        apply: () => {
          if (entry.deleted !== deleted) entry.token += 1;
          entry.deleted = deleted;
        },
      };
}

function workspace(play: Play, workspaceId: number): Act {
  const { random, model } = play;
  const { caller, may } = someone(play);
  const name = `${random.pick(NAMES)} ${random.below(1000)}`;
  const given = token(play, model.workspace.token);
  return {
    name: 'edit-workspace',
    caller,
    method: 'PUT',
    path: `${ADMIN}/workspaces/${workspaceId}/${given}`,
    body: { name },
    status: statusOf([!may, 403], [given !== model.workspace.token, 409]),
    present: model.workspace.token,
    apply: (answer) => {
      model.workspace = { token: answer.occToken, name };
    },
  };
}

/** A write of administration. */
export function adminAct(play: Play, workspaceId: number): Act {
  const kind = play.random.below(10);
  if (kind < 3) return users(play);
  if (kind < 6) return groups(play);
  if (kind < 9) return catalogs(play);
  return workspace(play, workspaceId);
}
