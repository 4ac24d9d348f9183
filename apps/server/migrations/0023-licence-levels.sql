-- The level of a user's licence of type 5; the other types have none.
ALTER TABLE users ADD COLUMN licence_sub_type text CHECK (licence_sub_type IN ('STARTER', 'ADVANCED'));
