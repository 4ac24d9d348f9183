/** The credentials form and its edits. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, openPeoplePortal, type PeoplePortal, type PeopleTenant, refusal } from './people.fixture.ts';

let portal: PeoplePortal;
let tenant: PeopleTenant;

beforeAll(async () => {
  portal = await openPeoplePortal();
  tenant = await portal.tenant();
});
afterAll(() => portal.close());

const form = (userId: number) => call('getUserForEdit', tenant.admin, { params: { userId } });
const credentialsForm = (userId: number) => call('getUserCredentialsForEdit', tenant.admin, { params: { userId } });
const storedHash = async (of: PeopleTenant, userId: number) =>
  (await of.sql<{ hash: string | null }>('SELECT password_hash AS hash FROM users WHERE id = $1', [userId]))[0]!.hash;

describe('credentials', () => {
  const change = (of: PeopleTenant, userId: number, userCredentialsConfiguration: object, occToken: number) =>
    call('editUserCredentials', of.admin, { params: { userId }, body: { userCredentialsConfiguration, occToken } });

  test('blocks are kept, set and removed as clients expect', async () => {
    const userId = await tenant.user({ lastName: 'Creds' });
    expect(await credentialsForm(userId)).toEqual({ userCredentialsConfiguration: {}, occToken: 1 });
    expect(await change(tenant, userId, { google: { googleAccountId: 'c@g.example', enabled: true } }, 1)).toEqual({
      nextOccToken: 2,
    });
    await change(
      tenant,
      userId,
      { custom: { username: 'creds', active: true, canUserManageCustomCredentials: true } },
      2,
    );
    const both = await credentialsForm(userId);
    expect(both.userCredentialsConfiguration).toMatchObject({
      google: { googleAccountId: 'c@g.example', enabled: true },
      custom: { username: 'creds', active: true, canUserManageCustomCredentials: true },
    });
    // Sending the form back as it was read changes nothing.
    await change(tenant, userId, both.userCredentialsConfiguration!, 3);
    expect((await credentialsForm(userId)).userCredentialsConfiguration).toEqual(both.userCredentialsConfiguration);
    await change(tenant, userId, { google: { enabled: false } }, 4);
    await change(tenant, userId, { custom: { active: false } }, 5);
    expect(await credentialsForm(userId)).toEqual({ userCredentialsConfiguration: {}, occToken: 6 });
    expect(await storedHash(tenant, userId)).toBeNull();
    expect((await form(userId)).occToken).toBe(1);
  });

  test('contradictions, missing values, foreign domains and stale tokens are refused', async () => {
    const strict = await portal.tenant({ loginDomains: ['corp.example', 'Lab.example'] });
    const userId = await strict.user();
    const refused = async (block: object, occToken = 1) =>
      (await refusal(change(strict, userId, block, occToken))).faults;
    const at = 'userCredentialsConfiguration';
    expect(await refused({ custom: { username: 'x@corp.example' } })).toEqual([`${at}.custom.active: REQUIRED_FIELD`]);
    expect(await refused({ custom: { username: 'x@corp.example', active: false } })).toEqual([
      `${at}.custom.active: INVALID_VALUE`,
    ]);
    expect(await refused({ custom: { active: true } })).toEqual([`${at}.custom.username: REQUIRED_FIELD`]);
    expect(await refused({ microsoft: { microsoftAccountId: 'x@lab.example', enabled: false } })).toEqual([
      `${at}.microsoft.enabled: INVALID_VALUE`,
    ]);
    expect(await refused({ google: { enabled: true } })).toEqual([`${at}.google.googleAccountId: REQUIRED_FIELD`]);
    for (const outside of ['x@evil.example', 'x@notcorp.example', 'corp.example', 'x@corp.example.evil.example']) {
      expect(await refused({ google: { googleAccountId: outside, enabled: true } })).toEqual([
        `${at}.google.googleAccountId: INVALID_DOMAIN`,
      ]);
      expect(await refused({ custom: { username: outside, active: true } })).toEqual([
        `${at}.custom.username: INVALID_DOMAIN`,
      ]);
    }
    expect(await change(strict, userId, { google: { googleAccountId: 'X@LAB.example', enabled: true } }, 1)).toEqual({
      nextOccToken: 2,
    });
    const stale = await refusal(change(strict, userId, { google: { enabled: false } }, 1));
    expect(stale).toMatchObject({ status: 409, details: { currentOccToken: 2 } });
  });

  test('a photo is a picture that the caller uploaded and nobody used; leaving its reference out removes it', async () => {
    const userId = await tenant.user({ lastName: 'Photo' });
    const upload = (ref: string, type: string, creator: number, uploaded: boolean) =>
      tenant.sql(
        `INSERT INTO file_contents (tenant_id, content_ref, mime_type, creator_id, created_at, uploaded_at)
         VALUES ($1, $2, $3, $4, now(), CASE WHEN $5 THEN now() END)`,
        [tenant.id, ref, type, creator, uploaded],
      );
    const me = tenant.admin.actor.userId;
    await upload('pic', 'image/png', me, true);
    await upload('text', 'text/plain', me, true);
    await upload('half', 'image/png', me, false);
    await upload('theirs', 'image/png', userId, true);
    const photo = (newContentRef?: string) => ({
      custom: { active: false, profilePhoto: newContentRef ? { newContentRef } : {} },
    });
    for (const ref of ['text', 'half', 'theirs', 'unknown']) {
      expect((await refusal(change(tenant, userId, photo(ref), 1))).faults).toEqual([
        'userCredentialsConfiguration.custom.profilePhoto.newContentRef: CONTENT_REF_INVALID',
      ]);
    }
    await change(tenant, userId, photo('pic'), 1);
    const photoUrl = (await form(userId)).accountPhotoUrl;
    expect(photoUrl).toMatch(new RegExp(`^${tenant.admin.baseUrl}/portal/files/user-photo/${userId}\\?v=[\\w-]{43}$`));
    // It is the person's, not the block's: there is none to begin with, and the photo outlives the one that comes.
    expect((await credentialsForm(userId)).userCredentialsConfiguration).toEqual({});
    await change(tenant, userId, { custom: { active: true, username: 'photographed' } }, 2);
    expect((await credentialsForm(userId)).userCredentialsConfiguration!.custom).toMatchObject({
      profilePhotoUrl: photoUrl,
    });
    await change(tenant, userId, { custom: { active: false } }, 3);
    expect((await credentialsForm(userId)).userCredentialsConfiguration).toEqual({});
    expect((await form(userId)).accountPhotoUrl).toBe(photoUrl);
    expect((await refusal(change(tenant, await tenant.user(), photo('pic'), 1))).status).toBe(400);
    await change(tenant, userId, photo(), 4);
    expect(await form(userId)).not.toHaveProperty('accountPhotoUrl');
    const [file] = await tenant.sql("SELECT attached_at FROM file_contents WHERE content_ref = 'pic'");
    expect(file).toEqual({ attached_at: null });
  });
});
