/** Errors of invalid requests: the field, and the accepted input in words. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../../test/support/index.ts';
import { createFieldWorld, createPost, type FieldWorld, MANAGE } from './writing.fixture.ts';

let portal: TestPortal;
let world: FieldWorld;
let postId: number;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createFieldWorld(portal);
  ({ postId } = await createPost(world, world.people.author));
});
afterAll(() => portal.close());

/** Returns the errors of a rejected request, each with its field. */
async function errors(method: string, path: string, body?: object): Promise<string[]> {
  const answer = await world.tenant.request(world.people.author, method, path, body);
  expect(answer.status, answer.text).toBe(400);
  const { list } = answer.body.validationErrors as { list: { field: string; code: string; defaultMessage: string }[] };
  return list.map(({ field, code, defaultMessage }) => `${field} ${code}: ${defaultMessage}`);
}
const list = (body: object) =>
  errors('POST', `/portal/api/communication/posts/data/list/community/${world.communityId}`, body);
const event = (times: object, more: object = {}) =>
  errors('POST', `${MANAGE}/create-event-post/${world.communityId}`, {
    title: 'Party',
    description: 'Come',
    descriptionFormat: 2,
    event: times,
    ...more,
  });

describe('the message of a refused request', () => {
  it('names an input once', async () => {
    const answer = await world.tenant.request(
      world.people.author,
      'GET',
      '/portal/api/communication/posts/data/post-detail-by-id/abc',
    );
    expect(answer.body.message).toBe('postId must be of type integer.');
  });

  it('does not offer null, which means that a key is left out', async () => {
    expect(await list({ pageSize: 'ten' })).toEqual(['pageSize INVALID_TYPE: pageSize must be of type integer.']);
  });

  it('suggests a field only where one is alike, else tells which there are', async () => {
    const [path, some] = ['communityPostFilters.postFieldFilters[0]', { columnId: 1, typeId: 7, parameters: [] }];
    expect(await list({ communityPostFilters: { postFieldFilters: [{ ...some, zzz: 1 }] } })).toEqual([
      `${path}.zzz UNRECOGNIZED_FIELD: ${path} has no field zzz; it has typeId, columnId, parameters.`,
    ]);
    expect(await list({ communityPostFilters: { postFieldFilters: [{ ...some, column: 1 }] } })).toEqual([
      `${path}.column UNRECOGNIZED_FIELD: ${path} has no field column; the nearest it has is columnId.`,
    ]);
    const [far] = await list({ zzz: 1 });
    expect(far).toMatch(/^zzz UNRECOGNIZED_FIELD: The body has no field zzz; it has (\w+, ){11}\w+ and \d+ more\.$/);
    expect(await list({ filters: 1 })).toEqual([
      'filters UNRECOGNIZED_FIELD: The body has no field filters; the nearest it has is postFieldFilters.',
    ]);
  });

  it('asks for the field of a filter that names none', async () => {
    const [missing] = await list({ communityPostFilters: { postFieldFilters: [{ typeId: 1, parameters: [1] }] } });
    expect(missing).toMatch(
      /^communityPostFilters\.postFieldFilters\[0\]\.columnId REQUIRED_FIELD: A filter needs the id of its field; searchable/,
    );
  });

  it('counts one thing in the singular', async () => {
    const { fields } = world;
    const filter = { columnId: fields['INT'], typeId: 1, parameters: [] };
    expect((await list({ communityPostFilters: { postFieldFilters: [filter] } }))[0]).toContain(
      'EQUAL takes exactly 1 parameter, not 0.',
    );
  });

  it('says of a token what it is and where it comes from', async () => {
    expect(
      await errors('POST', `${MANAGE}/execute-post-workflow-operation/${postId}/1`, { screenOccToken: 'abc' }),
    ).toEqual([
      'screenOccToken INVALID_VALUE: screenOccToken must be an integer or a text of its digits. Token that the screen returned (`post-workflow-screen-data-for-edit`); a stale token returns 409.',
    ]);
  });

  it('says that a day does not exist', async () => {
    expect(await event({ allDay: true, startAt: { localDatetime: '2027-02-30' } })).toEqual([
      'event.startAt INVALID_DATE: There is no day 2027-02-30; send one such as 2026-12-31.',
    ]);
    expect((await event({ startAt: { localDatetime: '2027-02-30T10:00:00' } }))[0]).toMatch(
      /^event\.startAt\.localDatetime INVALID_DATE: there is no day 2027-02-30; allowed is an ISO date-time/,
    );
    expect(
      await errors('POST', `${MANAGE}/create-post/${world.communityId}`, {
        title: 'x',
        description: 'y',
        descriptionFormat: 2,
        customData: { [world.fields['DATE']!]: '2027-02-30' },
      }),
    ).toEqual([expect.stringMatching(/INVALID_DATE: DATE: there is no day 2027-02-30; allowed is epoch milliseconds/)]);
    for (const bound of ['from', 'to']) {
      expect(await list({ communityPostFilters: { eventPostFilter: { [bound]: '2027-02-30' } } })).toEqual([
        expect.stringMatching(
          `^communityPostFilters.eventPostFilter.${bound} INVALID_DATE: there is no day 2027-02-30; allowed is an ISO 8601 date such as`,
        ),
      ]);
    }
    const filter = { columnId: world.fields['DATE'], typeId: 1, parameters: ['2027-02-30'] };
    expect(await list({ communityPostFilters: { postFieldFilters: [filter] } })).toEqual([
      expect.stringMatching(/INVALID_DATE: .*there is no day 2027-02-30; allowed is epoch milliseconds/),
    ]);
  });

  it('finds an empty time zone where it is', async () => {
    const startAt = { localDatetime: '2027-02-28T10:00:00' };
    const asked = 'a date-time without offset needs a time zone; allowed is an IANA name such as Europe/Rome.';
    expect(await event({ startAt, timezone: '' })).toEqual([`event.timezone INVALID_TIME_ZONE: ${asked}`]);
    expect(
      await event({ startAt }, { scheduledPublication: { datetime: '2027-02-28T10:00:00', timezone: '' } }),
    ).toEqual([`scheduledPublication.timezone INVALID_TIME_ZONE: ${asked}`]);
  });

  it('says where plain text of a task goes, and what a file name is', async () => {
    expect(
      await errors('POST', `/portal/api/communication/tasks/manage/create-task/${postId}`, {
        title: 'Call',
        descriptionDelta: 'plain',
        expiration: { datetime: '2030-01-01T10:00:00', timezone: 'UTC' },
        assigneeUserId: world.people.author,
      }),
    ).toEqual([
      'descriptionDelta INVALID_DELTA: Send a Quill delta in JSON such as [{"insert":"text\\n"}], or plain text as descriptionPlainText.',
    ]);
    const [name] = await errors('PUT', `${MANAGE}/edit-post-attachments/${postId}`, {
      addAttachments: [{ name: '.', contentRef: 'a'.repeat(64) }],
    });
    expect(name).toBe(
      'addAttachments[0].name INVALID_VALUE: This is no file name: after the last / or \\ send one such as report.pdf.',
    );
  });
});
