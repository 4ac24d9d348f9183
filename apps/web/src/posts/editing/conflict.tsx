import type { ReactNode } from 'react';
import { Panel } from '../../failures/boundary.tsx';
import { part } from '../../failures/part.ts';
import type { PartState } from './use-part.ts';

const ConflictPanel = part(() => import('../../write/merge/index.ts'), 'ConflictPanel');

/** A conflict about a part of a post: both changes and, for texts, both together, to choose from. */
export function ConflictChoice<T>({
  name,
  state: { conflict, keep, editChosen, takeTheirs },
  show,
}: {
  name: string;
  state: PartState<T>;
  show: (value: T) => ReactNode;
}) {
  if (!conflict) return null;
  const key = 'value';
  return (
    <Panel>
      <ConflictPanel
        name={name}
        by={conflict.by}
        fields={[{ key, name, merged: conflict.merged, show: (value) => show(value as T) }]}
        save={(values) => keep(values[key] as T)}
        edit={(values) => editChosen(values[key] as T)}
        takeTheirs={takeTheirs}
      />
    </Panel>
  );
}
