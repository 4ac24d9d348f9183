import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useWriteTexts } from '../../write/texts.ts';
import type { PartState } from './use-part.ts';

/** A conflict: the part before, the caller's text and the other person's, to choose from. */
export function ConflictChoice<T>({
  name,
  state: { base, value, conflict, keepMine, takeTheirs },
  show,
}: {
  name: string;
  state: PartState<T>;
  show: (value: T) => ReactNode;
}) {
  const texts = useWriteTexts();
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  if (!conflict) return null;
  const shown = (of: T | undefined) =>
    of === undefined || of === '' ? <span className="muted">{texts.nothing}</span> : show(of);
  return (
    <section ref={box} className="conflict" tabIndex={-1} role="alert" aria-label={texts.conflictTitle(name)}>
      <p>
        <strong>{texts.conflictTitle(name)}</strong>{' '}
        {conflict.by === '' ? texts.conflictBySomebody : texts.conflictBy(conflict.by)}
      </p>
      <dl>
        <div>
          <dt>{texts.before}</dt>
          <dd>{shown(base)}</dd>
        </div>
        <div>
          <dt>{texts.mine}</dt>
          <dd>{shown(value)}</dd>
        </div>
        <div>
          <dt>{texts.theirs}</dt>
          <dd>{shown(conflict.theirs.base)}</dd>
        </div>
      </dl>
      <div className="buttons">
        <Button size="xs" onClick={keepMine}>
          {texts.keepMine}
        </Button>
        <Button size="xs" variant="default" onClick={takeTheirs}>
          {texts.takeTheirs}
        </Button>
      </div>
    </section>
  );
}
