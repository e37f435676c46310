"""What happens without a client's message: time-outs, bots' moves, reviews, deletion of old data."""
