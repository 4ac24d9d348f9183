/** An import of the archive of a community, as the job hands it to the folder `archives`. */
import type { FileStorage } from '@portico/platform/files';
import type { Scope } from '../../kernel/scope.ts';
import type { ImportPhase } from './import.ts';
import type { ImportRow } from './imports.repository.ts';
import type { ImportReport } from './report.ts';
import type { Progress } from './write-rows.ts';

export interface ArchiveWork {
  readonly row: ImportRow;
  readonly storage: FileStorage;
  readonly mostRefusals: number;
  /** Called with the results so far when an error ends the import. */
  readonly onFailure: (report: ImportReport) => void;
  readonly onProgress: (phase: ImportPhase) => void;
  /** Called before each batch; when it returns false, the import stops, and written posts stay. */
  readonly goesOn: (progress: Progress, written: number, posts: number) => Promise<boolean>;
}

/**
 * Writes the posts of an archive. Returns undefined where its bytes are not stored any more.
 * @throws ImportError for a fault of the archive
 */
export type ImportArchive = (scope: Scope, work: ArchiveWork) => Promise<ImportReport | undefined>;
