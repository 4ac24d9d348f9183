import type { CommunityFileWorkflow } from '@portico/sdk';
import { useId } from 'react';
import { FaultMark } from './fault-mark.tsx';
import { type DraftFaults, placeOf } from './faults.ts';
import { useBuilderTexts } from './texts.ts';
import { BOX, layOut } from './workflow-layout.ts';
import type { Part } from './workflow-list.tsx';

/** The workflow as a picture: states in layers, transitions as arrows. The list beside it says the same in words. */
export function WorkflowPicture({
  workflow,
  chosen,
  choose,
  faults,
}: {
  workflow: CommunityFileWorkflow;
  chosen: Part | undefined;
  choose: (part: Part) => void;
  faults: DraftFaults;
}) {
  const words = useBuilderTexts();
  const head = useId();
  const { width, height, states, transitions } = layOut(workflow);
  const named = new Map((workflow.states ?? []).map((state) => [state.key, state]));
  const isChosen = (list: Part['list'], key: string) => chosen?.list === list && chosen.key === key;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a picture that is wider than its column is scrolled by keys
    <section className="workflow-picture" aria-label={words.picture} tabIndex={0}>
      <div style={{ inlineSize: width, blockSize: height }} dir="ltr">
        <svg width={width} height={height} aria-hidden>
          <title>{words.picture}</title>
          <defs>
            <marker id={head} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">
              <path d="M 0 0 L 8 4 L 0 8 Z" />
            </marker>
          </defs>
          {transitions.map(({ key, path }) => (
            <path
              key={key}
              d={path}
              markerEnd={`url(#${head})`}
              data-chosen={isChosen('transitions', key) ? '' : undefined}
            />
          ))}
        </svg>
        {states.map(({ key, x, y }) => {
          const { name = key, initial, terminal } = named.get(key) ?? {};
          return (
            <button
              key={key}
              type="button"
              aria-pressed={isChosen('states', key)}
              data-initial={initial ? '' : undefined}
              data-terminal={terminal ? '' : undefined}
              style={{
                insetInlineStart: x - BOX.width / 2,
                insetBlockStart: y - BOX.height / 2,
                inlineSize: BOX.width,
                blockSize: BOX.height,
              }}
              onClick={() => choose({ list: 'states', key })}
            >
              <span dir="auto">{name}</span>
              <FaultMark faults={faults.get(placeOf('states', key))} />
            </button>
          );
        })}
      </div>
    </section>
  );
}
