import './versions.css';
import { Button, Checkbox } from '@mantine/core';
import { ConflictError, type PostVersion } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { Failed, Loaded, Loading } from '../placeholders.tsx';
import { portal, queryClient } from '../portal.ts';
import { postQuery } from '../shared-queries.ts';
import { focusedItem, moveKeys, useKeys } from '../shell/keys.ts';
import { useFormats, useTexts } from '../texts/index.ts';
import { useTitle } from '../use-title.ts';
import { faultOf } from '../write/faults.ts';
import { showNotice } from '../write/notices.ts';
import { useAllTexts } from '../write/texts.ts';
import { Difference, usePartName, useVersions } from './changed-parts.tsx';
import { nameOf } from './user-name.ts';
import { useVersionTexts } from './versions-texts.ts';

/** Versions of a post: the list, and the differences of the chosen version to the present post. */
export function VersionsPage() {
  const texts = useTexts();
  const words = useVersionTexts();
  const navigate = useNavigate();
  const from = '/shell/post/$postId/versions';
  const postId = Number(useParams({ from }).postId);
  const { version } = useSearch({ from });
  const post = useQuery(postQuery(postId));
  const versions = useVersions(postId);
  const title = post.data?.title || texts.untitled;
  useTitle(`${words.title}: ${title}`);
  const items = versions.data ?? [];
  const open = (versionNumber: number) =>
    void navigate({
      to: '/post/$postId/versions',
      params: { postId: String(postId) },
      search: { version: versionNumber },
      replace: true,
    });
  useKeys([...moveKeys(texts), { key: 'Enter', label: texts.open, run: () => focusedItem()?.click() }]);
  const old = items.filter(({ versionNumber }) => versionNumber !== 0);
  const chosen = version ?? old[0]?.versionNumber;
  return (
    <div className="versions">
      <header>
        <Link to="/post/$postId" params={{ postId: String(postId) }} className="quiet">
          <ArrowLeft size={14} aria-hidden className="turn" /> {words.back}
        </Link>
        <h1 dir="auto">
          {words.title}: {title}
        </h1>
      </header>
      <Loaded query={versions}>
        {() =>
          old.length === 0 ? (
            <p className="muted">{words.only}</p>
          ) : (
            <>
              <VersionList versions={versions} chosen={chosen} open={open} />
              {chosen !== undefined && (
                <Comparison
                  key={chosen}
                  postId={postId}
                  communityId={post.data?.communityId}
                  version={chosen}
                  newest={old[0]!.versionNumber!}
                />
              )}
            </>
          )
        }
      </Loaded>
    </div>
  );
}

/** The versions, the newest first, each with its editor and the changed parts. */
function VersionList({
  versions,
  chosen,
  open,
}: {
  versions: ReturnType<typeof useVersions>;
  chosen: number | undefined;
  open: (versionNumber: number) => void;
}) {
  const texts = useTexts();
  const words = useVersionTexts();
  const formats = useFormats();
  const items = versions.data ?? [];
  const what = ({ versionNumber, changedParts = [], changedFieldIds = [] }: PostVersion, index: number) => {
    if (versionNumber === 0) return words.now;
    if (index === items.length - 1 && !versions.hasNextPage) return words.first;
    return [
      ...changedParts.map((part) => words.parts[part]),
      ...(changedFieldIds.length > 0 ? [words.fields(formats.count(changedFieldIds.length))] : []),
    ].join(', ');
  };
  return (
    <nav aria-label={words.title}>
      <ul>
        {items.map((item, index) => (
          <li key={item.versionNumber}>
            <button
              type="button"
              className="version"
              data-item={`version-${item.versionNumber}`}
              disabled={item.versionNumber === 0}
              {...(item.versionNumber === chosen && { 'aria-current': 'true' as const })}
              onClick={() => open(item.versionNumber!)}
            >
              <span>{item.timestamp !== undefined && formats.moment(item.timestamp)}</span>
              <span className="muted">
                {nameOf(item.editorUser)} · {what(item, index)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {versions.hasNextPage && (
        <Button variant="default" onClick={() => void versions.fetchNextPage()}>
          {texts.loadMore}
        </Button>
      )}
    </nav>
  );
}

/**
 * The differences between a version and the present post, with a button that restores the version.
 */
function Comparison({
  postId,
  communityId,
  version,
  newest,
}: {
  postId: number;
  /** Undefined until the post is read. */
  communityId: number | undefined;
  version: number;
  newest: number;
}) {
  const texts = useAllTexts();
  const words = useVersionTexts();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [files, setFiles] = useState(false);
  const partName = usePartName(communityId);
  const comparison = useQuery({
    queryKey: ['versions', postId, 'compare', version, newest],
    queryFn: () => portal.posts.compareVersions({ postId, fromVersion: 0, toVersion: version }),
  });
  const content = useQuery({
    queryKey: ['versions', postId, 'content', version, newest],
    queryFn: () => portal.posts.version({ postId, versionNumber: version }),
  });
  const restoreVersion = async (versionNumber: number, restoreAttachments: boolean) => {
    const { occToken } = await portal.posts.readForEdit({ postId, loadAttachments: false });
    await portal.posts.restoreVersion({ postId, versionNumber, occToken: occToken!, restoreAttachments });
    await queryClient.invalidateQueries();
  };
  /** Restores the version before, and removes the files that came back. */
  const undo = async (versionNumber: number, removeAttachmentIds: number[]) => {
    await restoreVersion(versionNumber, false);
    if (removeAttachmentIds.length > 0) await portal.attachments.updateOnPost({ postId, removeAttachmentIds });
    await queryClient.invalidateQueries();
  };
  const showError = (error: unknown) =>
    showNotice(error instanceof ConflictError ? words.conflict : faultOf(error, texts));
  const removed = content.data?.attachments?.filter((file) => file.removed) ?? [];
  const restore = async () => {
    setBusy(true);
    const back = files ? removed.map(({ id }) => id!) : [];
    try {
      await restoreVersion(version, files);
      const { items = [] } = await portal.posts.versions({ postId, pageSize: 2 });
      const before = items.find(({ versionNumber }) => versionNumber !== 0)?.versionNumber;
      await navigate({ to: '/post/$postId', params: { postId: String(postId) } });
      showNotice(
        words.restored,
        before === undefined ? undefined : { label: words.undo, run: () => undo(before, back).catch(showError) },
      );
    } catch (error) {
      showError(error);
      await queryClient.invalidateQueries({ queryKey: ['versions', postId] });
      setBusy(false);
    }
  };
  if (comparison.isPending) return <Loading />;
  if (comparison.isError) return <Failed query={comparison} />;
  // A restored version leaves files as they are unless removed ones are asked for.
  const changes = (comparison.data.changes ?? []).filter(({ part }) => part !== 'attachments');
  return (
    <section aria-label={words.differences}>
      <h2>{words.differences}</h2>
      {changes.length === 0 ? (
        <p className="muted">{words.same}</p>
      ) : (
        <dl>
          {changes.map((change) => (
            <div key={`${change.part}-${change.fieldId}-${change.label}`}>
              <dt>{partName(change)}</dt>
              <dd dir="auto">
                <Difference change={change} communityId={communityId} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {removed.length > 0 ? (
        <Checkbox
          label={words.bringFilesBack}
          description={words.newFilesStay}
          checked={files}
          onChange={(event) => setFiles(event.currentTarget.checked)}
        />
      ) : (
        changes.length > 0 && <p className="muted">{words.filesStay}</p>
      )}
      {(changes.length > 0 || removed.length > 0) && (
        <Button loading={busy} onClick={() => void restore()}>
          {words.restore}
        </Button>
      )}
    </section>
  );
}
