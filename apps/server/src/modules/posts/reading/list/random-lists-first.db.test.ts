/** First half of the random lists; the other is in random-lists-second.db.test.ts. */
import { longForm } from '../../../../../test/support/long-form.ts';
import { testRandomLists } from './random-lists.fixture.ts';

testRandomLists(longForm ? 6_000 : 150);
