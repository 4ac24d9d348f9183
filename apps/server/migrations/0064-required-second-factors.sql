-- Of whom a tenant requires a second factor, and the sessions that a provider began and no second factor has confirmed.
ALTER TABLE tenant_settings ADD COLUMN require_second_factor text NOT NULL DEFAULT 'nobody'
  CHECK (require_second_factor IN ('nobody', 'administrators', 'all'));
ALTER TABLE user_sessions ADD COLUMN unconfirmed boolean NOT NULL DEFAULT false;
