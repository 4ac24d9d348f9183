-- What a deleted comment said, while its deletion can be taken back.
CREATE TABLE deleted_comments (
  tenant_id bigint NOT NULL,
  comment_id bigint NOT NULL,
  deleted_by bigint NOT NULL,
  deleted_at timestamptz NOT NULL,
  delta text NOT NULL,
  plain text NOT NULL,
  versions jsonb NOT NULL,
  likes jsonb NOT NULL,
  mentions bigint[] NOT NULL,
  PRIMARY KEY (tenant_id, comment_id),
  FOREIGN KEY (tenant_id, comment_id) REFERENCES comments (tenant_id, id) ON DELETE CASCADE
);
SELECT portico_secure_table('deleted_comments');
CREATE INDEX deleted_comments__deleted_at ON deleted_comments (tenant_id, deleted_at);
CREATE INDEX tasks__deleted ON tasks (tenant_id, deleted_at, id) WHERE deleted_at IS NOT NULL;

-- Whether the user marked as unread a post that they have read.
ALTER TABLE post_user_state ADD COLUMN unread boolean NOT NULL DEFAULT false;
