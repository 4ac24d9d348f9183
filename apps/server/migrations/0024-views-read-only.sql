-- A view writes with its owner's rights, which row security does not bind. The service may only read views; should it be
-- given more, a row of another tenant is refused all the same.
ALTER VIEW user_search_view SET (check_option = 'cascaded');
ALTER VIEW group_search_view SET (check_option = 'cascaded');
ALTER VIEW post_search_view SET (check_option = 'cascaded');
ALTER VIEW post_texts_view SET (check_option = 'cascaded');
