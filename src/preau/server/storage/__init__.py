"""The database: schema, queries, the write queue, leases, backup."""
