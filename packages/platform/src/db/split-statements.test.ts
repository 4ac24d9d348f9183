import { expect, test } from 'vitest';
import { splitStatements } from './split-statements.ts';

test('statements end at semicolons that stand outside texts, names, bodies and comments', () => {
  expect(
    splitStatements(`-- First; not one.
      CREATE TABLE a (b text DEFAULT ';' /* ; */);
      DO $$ BEGIN PERFORM 1; END $$;
      CREATE FUNCTION f() RETURNS text LANGUAGE plpgsql AS $body$ BEGIN RETURN $$;$$; END $body$;
      ALTER TABLE a RENAME b TO "c;d" -- the last one`),
  ).toEqual([
    `CREATE TABLE a (b text DEFAULT ';' /* ; */)`,
    'DO $$ BEGIN PERFORM 1; END $$',
    'CREATE FUNCTION f() RETURNS text LANGUAGE plpgsql AS $body$ BEGIN RETURN $$;$$; END $body$',
    'ALTER TABLE a RENAME b TO "c;d" -- the last one',
  ]);
});

test('a file without a statement has none', () => {
  expect(splitStatements('-- nothing\n')).toEqual([]);
});
