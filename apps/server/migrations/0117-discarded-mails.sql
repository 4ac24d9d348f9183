-- A test message that was discarded: no list shows it, and the limit of test messages counts it.
ALTER TABLE outgoing_mails DROP CONSTRAINT outgoing_mails_state_check;
ALTER TABLE outgoing_mails ADD CONSTRAINT outgoing_mails_state_check
  CHECK (state IN ('waiting', 'sent', 'failed', 'unsent', 'discarded'));
