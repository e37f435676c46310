"""Worker processes that answer questions, and the fair queues in front of them."""
