/** Pictures of communities, workspaces and people. */
import { storeFile } from '../modules/files/index.ts';
import type { FileStorage } from '../platform/files/index.ts';
import { cast, communities, workspaces } from './content.ts';
import { DAY, type DemoContext, SEED_DATE } from './demo-context.ts';
import { movingPicture, picture } from './files.ts';

/** Events with a picture on top. */
const COVERS = 14;

type Colour = [number, number, number];

function colourOf(hex: string): Colour {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/**
 * Stores all pictures.
 * @returns their content references: by key of community, `logo:` and `cover:` with key of workspace, `photo:` with position
 *   of person
 */
export async function storePictures(context: DemoContext, storage: FileStorage): Promise<ReadonlyMap<string, string>> {
  const scope = await context.system(SEED_DATE - DAY / 2);
  const wanted: [string, Buffer][] = [
    ...communities.map(({ key, color }): [string, Buffer] => [key, picture(64, 24, colourOf(color), [245, 245, 240])]),
    ...workspaces.flatMap(({ key, color }): [string, Buffer][] => [
      [`logo:${key}`, picture(24, 24, color, [255, 255, 255])],
      [`cover:${key}`, picture(96, 24, [250, 250, 250], color)],
    ]),
    ...cast.photographed.map((index): [string, Buffer] => [
      `photo:${index}`,
      picture(32, 32, [(index * 53) % 256, 140, 160], [230, 200, 180]),
    ]),
    ['photo:account', picture(32, 32, [40, 60, 90], [120, 200, 220])],
  ];
  const stored = await Promise.all(
    wanted.map(async ([key, data]) => [key, (await storeFile(scope, storage, data)).contentRef] as const),
  );
  // Events are written in the name of the service account, which may use its own uploads only.
  const account = await context.as(context.serviceAccount, SEED_DATE);
  context.covers = await Promise.all(
    Array.from({ length: COVERS }, async (_, index) => {
      const colour = [30 + index * 15, 90, 170] as const;
      const data =
        index % 5 === 2 ? movingPicture(colour, [250, 240, 230]) : picture(96, 32, colour, [250, 230 - index * 8, 160]);
      return (await storeFile(account, storage, data)).contentRef;
    }),
  );
  return new Map(stored);
}
