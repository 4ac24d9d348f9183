/** One half of the random lists; the other is in random-lists-first.db.test.ts. */
import { testRandomLists } from './random-lists.fixture.ts';

testRandomLists(process.env.PORTICO_TEST_FULL ? 25_000 : 600);
