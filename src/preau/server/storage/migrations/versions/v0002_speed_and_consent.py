"""Measured delays in the log (C22), and votes on taking a step back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both."""
    op.add_column("log", sa.Column("delay", sa.Integer))
    op.create_table(
        "votes",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("first", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "number", "seat"),
    )


def downgrade() -> None:
    """Remove both."""
    op.drop_table("votes")
    op.drop_column("log", "delay")
