-- What a person likes, for the archive about them.
CREATE INDEX post_likes__user ON post_likes (tenant_id, user_id, post_id);
CREATE INDEX comment_likes__user ON comment_likes (tenant_id, user_id, comment_id);
