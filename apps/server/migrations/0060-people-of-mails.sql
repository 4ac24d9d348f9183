-- Whom a mail is for: the erasure of a person finds mails to their earlier addresses by it. NULL on mails of earlier versions.
ALTER TABLE outgoing_mails ADD COLUMN user_id bigint;
