import type { Picture } from './figures-search.ts';

/** A group of the picture. */
export interface Figure {
  readonly key: string;
  readonly label: string;
  readonly value: number;
  readonly text: string;
}

const WIDTH = 600;
const HEIGHT = 200;
const MARGIN = 8;

/** A picture of the figures. The table beside it says the same, so that it is hidden from screen readers. */
export function FigurePicture({ figures, as }: { figures: readonly Figure[]; as: Picture }) {
  const most = Math.max(...figures.map(({ value }) => value), 0);
  const least = Math.min(...figures.map(({ value }) => value), 0);
  const span = most - least || 1;
  if (as === 'lines') {
    const step = (WIDTH - 2 * MARGIN) / Math.max(1, figures.length - 1);
    const at = ({ value }: Figure, index: number) =>
      [
        figures.length === 1 ? WIDTH / 2 : MARGIN + index * step,
        MARGIN + ((most - value) / span) * (HEIGHT - 2 * MARGIN),
      ] as const;
    return (
      <div className="figure-lines" aria-hidden dir="ltr">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden>
          <polyline points={figures.map((figure, index) => at(figure, index).join(',')).join(' ')} />
          {figures.map((figure, index) => {
            const [x, y] = at(figure, index);
            return (
              <circle key={figure.key} cx={x} cy={y} r={5}>
                <title>{`${figure.label}: ${figure.text}`}</title>
              </circle>
            );
          })}
        </svg>
        <div className="figure-ends">
          <span>{figures[0]?.label}</span>
          {figures.length > 1 && <span>{figures.at(-1)?.label}</span>}
        </div>
      </div>
    );
  }
  return (
    <ul className={as === 'bars' ? 'figure-bars' : 'figure-numbers'} aria-hidden>
      {figures.map(({ key, label, value, text }) => (
        <li key={key}>
          <span className="figure-name">{label}</span>
          {as === 'bars' && (
            <span className="figure-bar">
              <span style={{ inlineSize: `${(Math.abs(value) / Math.max(most, -least, 1e-9)) * 100}%` }} />
            </span>
          )}
          <span className="figure-value">{text}</span>
        </li>
      ))}
    </ul>
  );
}
