import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestPortal, createTestWorld, type TestPortal, type TestWorld } from '../../test/support/test-world.ts';
import { storeFile } from '../modules/files/index.ts';
import { sweepFiles, workOnFiles } from './work-on-files.ts';

describe('work on files', () => {
  let portal: TestPortal;
  let world: TestWorld;

  beforeAll(async () => {
    portal = await createTestPortal({});
    world = await createTestWorld(portal);
  });
  afterAll(() => portal?.close());

  it('gives pictures their previews and makes documents findable', async () => {
    const { people, tenant } = world;
    const scope = await world.scope(people.author);
    const { storage } = portal.services;
    const picture = await storeFile(
      scope,
      storage,
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    );
    const document = await storeFile(scope, storage, Buffer.from('a word: sesquipedalian'));
    const postId = await world.post(people.author, {
      attachments: [
        { name: 'p.svg', contentRef: picture.contentRef },
        { name: 'd.txt', contentRef: document.contentRef },
      ],
    });
    await workOnFiles(portal.services, tenant.tenant);
    const list = (text: string) =>
      world.ok(people.reader, 'POST', `posts/data/list/community/${world.communityId}`, {
        communityPostFilters: { containsText: text },
      });
    expect((await list('sesquipedalian')).items).toMatchObject([{ id: postId }]);
    const page = await world.ok(
      people.reader,
      'POST',
      `attachments/data/posts/${postId}/attachments-list?loadPreviewImageLink=true`,
      { mimeTypes: ['image/*'] },
    );
    expect(page.items[0].temporaryContentPreviewImageLink).toMatch(/\/portal\/files\//);
    await sweepFiles(portal.services, tenant.tenant);
    expect(await storage.stat(picture.storageKey)).toBeDefined();
  });
});
