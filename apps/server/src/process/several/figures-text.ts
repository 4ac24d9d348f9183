/** Figures as text, for messages between processes: JSON alone writes infinite values as null, which count as 0. */
import type { MetricObject } from 'prom-client';

const NOT_FINITE: readonly string[] = ['Infinity', '-Infinity', 'NaN'];

/** Writes the figures of a process. */
export function writeFigures(figures: readonly MetricObject[]): string {
  return JSON.stringify(figures, (_key, value: unknown) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
  );
}

/** Reads the figures that {@link writeFigures} wrote. */
export function readFigures(text: string): MetricObject[] {
  return JSON.parse(text, (key, value: unknown) =>
    key === 'value' && NOT_FINITE.includes(String(value)) ? Number(value) : value,
  ) as MetricObject[];
}
