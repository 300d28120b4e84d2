"""One file a category. A file is found by its name; nothing else needs to be edited to add one."""
