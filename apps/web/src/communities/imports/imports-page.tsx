import '../../admin/admin.css';
import './imports.css';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type AdminColumn, AdminList } from '../../admin/screen.tsx';
import { portal } from '../../portal.ts';
import { useCommunities } from '../../shared-queries.ts';
import { useFormats } from '../../texts/index.ts';
import { useTitle } from '../../use-title.ts';
import { ImportProgress } from './import-progress.tsx';
import { NewImport } from './new-import.tsx';
import { type ImportTexts, useImportTexts } from './texts.ts';
import type { ShownImport } from './use-import.ts';

/** Imports files of rows into a community, and shows past imports with their reports. */
export function ImportsPage() {
  const words = useImportTexts();
  const communityId = Number(useParams({ strict: false }).communityId);
  const name = useCommunities().data?.find(({ id }) => id === communityId)?.name;
  const title = name === undefined ? words.titleAlone : words.title(name);
  useTitle(title);
  const [shown, setShown] = useState<number>();
  return (
    <div className="page">
      <header className="toolbar">
        <h1 dir="auto">{title}</h1>
        <Link className="small" to="/community/$communityId" params={{ communityId: String(communityId) }}>
          {words.toPosts}
        </Link>
      </header>
      <div className="imports">
        {shown === undefined ? (
          <NewImport key={communityId} communityId={communityId} onStarted={setShown} />
        ) : (
          <>
            <ImportProgress importId={shown} onUndo={setShown} />
            <Button variant="default" onClick={() => setShown(undefined)}>
              {words.newImport}
            </Button>
          </>
        )}
        <PastImports communityId={communityId} onShow={setShown} />
      </div>
    </div>
  );
}

/** What an import was, in words. */
const kindOf = ({ trial, undoesImportId }: ShownImport, words: ImportTexts): string | undefined => {
  if (undoesImportId !== undefined) return words.undoOf;
  return trial ? words.trial : undefined;
};

function PastImports({ communityId, onShow }: { communityId: number; onShow: (id: number) => void }) {
  const words = useImportTexts();
  const formats = useFormats();
  const query = useInfiniteQuery({
    queryKey: ['imports', communityId, 'list'],
    queryFn: ({ pageParam, signal }) =>
      portal.imports.list({ communityId, pageSize: 20, ...(pageParam && { pageToken: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextPageToken }) => nextPageToken,
    select: ({ pages }) => pages.flatMap(({ items = [] }) => items),
  });
  const columns: readonly AdminColumn<ShownImport>[] = [
    {
      key: 'file',
      label: words.fileOf('').replace(/: ?$/, ''),
      cell: (one) => [one.fileName, kindOf(one, words)].filter(Boolean).join(' · '),
    },
    {
      key: 'state',
      label: words.state,
      cell: ({ state, undoneByImportId }) =>
        [words.states[state as keyof ImportTexts['states']], undoneByImportId !== undefined && words.undone]
          .filter(Boolean)
          .join(' · '),
    },
    {
      key: 'rows',
      label: words.row,
      number: true,
      wide: true,
      cell: ({ rows }) => rows !== undefined && formats.number(rows),
    },
    {
      key: 'started',
      label: words.started,
      wide: true,
      cell: ({ creationTimestamp = 0 }) => formats.moment(creationTimestamp),
    },
    {
      key: 'by',
      label: words.by,
      wide: true,
      cell: ({ creatorUser }) => [creatorUser?.firstName, creatorUser?.lastName].filter(Boolean).join(' '),
    },
    {
      key: 'show',
      label: words.outcome,
      cell: ({ id, fileName }) => (
        <button
          type="button"
          className="small"
          aria-label={`${words.show}: ${fileName} (${id})`}
          onClick={() => onShow(id!)}
        >
          {words.show}
        </button>
      ),
    },
  ];
  return (
    <section aria-label={words.past}>
      <h2>{words.past}</h2>
      <AdminList query={query} empty={words.noImports} label={words.past} columns={columns} keyOf={({ id }) => id!} />
    </section>
  );
}
