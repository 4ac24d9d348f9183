import { Circle, CircleDot, Contrast } from 'lucide-react';
import { hueOf } from './state-hue.ts';

/** A workflow state: a shape in one of eight hues and its name, so that it does not depend on colour. */
export function StateLabel({
  state,
}: {
  state:
    | { name?: string; initState?: boolean; terminal?: boolean; metadata?: Readonly<Record<string, string>> }
    | undefined;
}) {
  if (!state) return <span />;
  const Going = state.initState ? Circle : Contrast;
  const Shape = state.terminal ? CircleDot : Going;
  return (
    <span className="state" data-hue={hueOf(state.metadata?.['color'])}>
      <Shape size={14} aria-hidden /> {state.name}
    </span>
  );
}
