//! Step circuits, as their authors write them, and what is folded of them.
