-- What administrators set of a tenant: its name (NULL: the operator's), how long sessions last and what is kept for how long
-- (NULL: the default of the installation; for the audit log, until the operator prunes it).
ALTER TABLE tenant_settings
  ADD COLUMN display_name text CHECK (char_length(display_name) BETWEEN 1 AND 255),
  ADD COLUMN session_idle_seconds integer CHECK (session_idle_seconds > 0),
  ADD COLUMN session_seconds integer CHECK (session_seconds > 0),
  ADD COLUMN notification_days integer CHECK (notification_days > 0),
  ADD COLUMN audit_days integer CHECK (audit_days > 0);
-- The identity provider that began a session: it ends when the identity is removed.
ALTER TABLE user_sessions ADD COLUMN provider_id bigint;
-- How often somebody had a mail sent again, and the mails to a person.
ALTER TABLE outgoing_mails ADD COLUMN retries integer NOT NULL DEFAULT 0;
ALTER TABLE outgoing_mails ADD FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE;
CREATE INDEX outgoing_mails__user ON outgoing_mails (tenant_id, user_id);
-- Areas and business units are edited with a token; a 409 for a stale one says who changed them last, and when.
ALTER TABLE areas
  ADD COLUMN version bigint NOT NULL DEFAULT 1,
  ADD COLUMN modifier_id bigint,
  ADD COLUMN modified_at timestamptz;
ALTER TABLE business_units
  ADD COLUMN version bigint NOT NULL DEFAULT 1,
  ADD COLUMN modifier_id bigint,
  ADD COLUMN modified_at timestamptz;
