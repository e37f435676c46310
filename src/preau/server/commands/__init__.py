"""What players do at tables: create, sit, start, act, undo, chat, arm-wrestle, ask for hints."""
