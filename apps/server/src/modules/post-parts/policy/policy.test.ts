/** The rules of capabilities, role by role. */
import { PostType, TaskType, Visibility } from '@portico/contract';
import { describe, expect, test } from 'vitest';
import type { Actor, CommunityRole } from '../../../kernel/scope.ts';
import type {
  CommunityDefinition,
  WorkflowDefinition,
  WorkflowState,
  WorkflowTransition,
} from '../../communities/index.ts';
import { runnableSteps } from './open-steps.ts';
import { postCapabilities } from './post-capabilities.ts';
import { taskCapabilities } from './task-capabilities.ts';
import { permittedTransitions } from './workflow-policy.ts';

const COMMUNITY = 7;

function actor(role: CommunityRole | undefined, userId = 1, groupIds: number[] = []): Actor {
  return {
    userId,
    name: 'x',
    groupIds,
    principals: [userId, ...groupIds.map((id) => -id)],
    roles: new Map(role === undefined ? [] : [[COMMUNITY, role]]),
    rights: new Set(['manageUsers', 'manageDigitalWorplace'] as const),
    accessVersion: 1,
    person: true,
    breakGlass: false,
    secondFactor: false,
  };
}

function definition(community: object = {}, workflow: WorkflowDefinition | null = null): CommunityDefinition {
  return {
    id: COMMUNITY,
    community: {
      id: COMMUNITY,
      draft: false,
      archivedAt: null,
      commentsHiddenFromReaders: false,
      likeEnabled: true,
      watchersEnabled: 1,
      attachmentEnabled: true,
      acknowledgeTaskEnabled: true,
      ...community,
    },
    workflow,
  } as unknown as CommunityDefinition;
}

const post = {
  communityId: COMMUNITY,
  creatorId: 1,
  visibility: Visibility.PUBLIC,
  draft: false,
  deleted: false,
  stateId: null,
  type: PostType.CUSTOM,
  asked: false,
  customData: {},
  screenData: {},
};

/** Returns the flags that are on, and the two scopes, in short. */
function granted(capabilities: ReturnType<typeof postCapabilities>): string {
  return Object.entries(capabilities)
    .flatMap(([name, value]) => {
      if (value === true) return [name];
      return typeof value === 'number' && value > 0 ? [`${name}=${value}`] : [];
    })
    .map((name) => name.replace(/^can/, ''))
    .join(' ');
}

const READS = 'ViewDetail ViewComment EditLike EditFollow';
const OWNS =
  'ViewDetail Modify Copy Delete ViewComment AddComment EditComment=1 DeleteComment=1 EditLike EditFollow EditAttachments EditVisibility CreateTask RequestAcknowledgements';

describe('capabilities of a post', () => {
  test.each<[string, CommunityRole | undefined, object, object, string]>([
    ['a manager', 1, { creatorId: 2 }, {}, OWNS.replaceAll('=1', '=2').replace(' RequestA', ' Pin Announce RequestA')],
    ['its author', 2, {}, {}, OWNS],
    [
      'another contributor',
      2,
      { creatorId: 2 },
      {},
      'ViewDetail Copy ViewComment AddComment EditComment=1 DeleteComment=1 EditLike EditFollow CreateTask',
    ],
    ['a reader', 3, { creatorId: 2 }, {}, READS],
    ['a reader who is asked to acknowledge it', 3, { creatorId: 2, asked: true }, {}, `${READS} Acknowledge`],
    ['its author, a reader by now', 3, {}, {}, READS],
    [
      'a reader where comments are hidden',
      3,
      { creatorId: 2 },
      { commentsHiddenFromReaders: true },
      'ViewDetail EditLike EditFollow',
    ],
    ['nobody in the community, administrator or not', undefined, {}, {}, ''],
    [
      'the author of a draft',
      2,
      { draft: true },
      {},
      'ViewDetail Modify Copy Delete ViewComment EditAttachments EditVisibility',
    ],
    ['a manager, of somebody else’s draft', 1, { draft: true, creatorId: 2 }, {}, ''],
    ['anybody, of a deleted post', 1, { deleted: true }, {}, ''],
    ['a contributor while the community is prepared', 2, {}, { draft: true }, READS],
    [
      'its author, without likes, watchers, attachments and acknowledgements',
      2,
      {},
      { likeEnabled: false, watchersEnabled: 0, attachmentEnabled: false, acknowledgeTaskEnabled: false },
      OWNS.replace(' EditLike EditFollow EditAttachments', '').replace(' RequestAcknowledgements', ''),
    ],
  ])('%s', (_who, role, facts, community, expected) => {
    expect(granted(postCapabilities(actor(role), definition(community), { ...post, ...facts }))).toBe(expected);
  });
});

describe('capabilities of a task', () => {
  const task = { creatorId: 2, assignee: 3, deleted: false, type: TaskType.STANDARD };
  const of = (who: Actor, facts: object = {}) =>
    granted(taskCapabilities(who, definition(), { ...post, creatorId: 9 }, { ...task, ...facts }) as never);
  test('managers and its creator edit, the assignee says where it stands', () => {
    const all = 'ViewDetail Modify UpdateState Delete EditAttachments EditReminders';
    expect(of(actor(1))).toBe(all);
    expect(of(actor(2, 2))).toBe(all);
    expect(of(actor(3, 2))).toBe('ViewDetail');
    expect(of(actor(2))).toBe('ViewDetail');
    expect(of(actor(3, 3))).toBe('ViewDetail UpdateState');
    expect(of(actor(3, 4, [8]), { assignee: -8 })).toBe('ViewDetail UpdateState');
    expect(of(actor(undefined, 3))).toBe('');
    expect(of(actor(1), { deleted: true })).toBe('');
    for (const who of [actor(1), actor(3, 3)]) expect(of(who, { type: TaskType.ACKNOWLEDGE })).toBe('ViewDetail');
  });
});

describe('transitions', () => {
  const state = (id: number, more: object = {}) =>
    ({ id, terminal: false, deleted: false, screenId: null, ...more }) as WorkflowState;
  const transition = (id: number, from: number, to: number, open: object) =>
    ({
      id,
      fromStateId: from,
      toStateId: to,
      deleted: false,
      roles: [],
      groupIds: [],
      byAuthor: false,
      fieldIds: [],
      conditions: [],
      ...open,
    }) as unknown as WorkflowTransition;
  const states = [state(1), state(2, { terminal: true }), state(3, { deleted: true })];
  const transitions = [
    transition(10, 1, 2, { roles: [2] }),
    transition(11, 1, 2, { groupIds: [5] }),
    transition(12, 1, 2, { byAuthor: true }),
    transition(13, 1, 2, {}),
    transition(14, 1, 3, { roles: [3] }),
    transition(15, 2, 1, { roles: [3] }),
    transition(16, 1, 1, { roles: [1], deleted: true }),
  ];
  const workflow = {
    states,
    transitions,
    stateById: new Map(states.map((one) => [one.id, one])),
    screenById: new Map(),
  } as unknown as WorkflowDefinition;
  const ids = (who: Actor, facts: object = {}) =>
    permittedTransitions(who, workflow, { ...post, creatorId: 9, stateId: 1, ...facts }).map((one) => one.id);

  test('a named role opens to stronger ones; groups and authors of their own right; no rule opens to nobody', () => {
    expect(ids(actor(1))).toEqual([10]);
    expect(ids(actor(2))).toEqual([10]);
    expect(ids(actor(3))).toEqual([]);
    expect(ids(actor(3, 1, [5]))).toEqual([11]);
    expect(ids(actor(3), { creatorId: 1 })).toEqual([12]);
    expect(ids(actor(undefined, 1, [5]), { creatorId: 1 })).toEqual([]);
  });

  test('nothing leads out of a terminal state, into a deleted one, or on from a draft', () => {
    expect(ids(actor(1), { stateId: 2 })).toEqual([]);
    expect(ids(actor(1), { draft: true })).toEqual([]);
    expect(ids(actor(1), { stateId: null })).toEqual([]);
  });

  test('lists ask the same', () => {
    const open = { stateId: 1, conditions: [] };
    expect(runnableSteps(actor(2), COMMUNITY, workflow)).toEqual({ any: [open], own: [] });
    expect(runnableSteps(actor(3), COMMUNITY, workflow)).toEqual({ any: [], own: [open] });
    expect(runnableSteps(actor(undefined), COMMUNITY, workflow)).toEqual({ any: [], own: [] });
  });
});
