"""Who is to be told that it is their turn, and how: the queue of these calls."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add it."""
    op.create_table(
        "calls",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("holder", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("endpoint_hash", sa.String(64), nullable=False),
        sa.Column("key", sa.String(88), nullable=False, server_default=""),
        sa.Column("auth", sa.String(24), nullable=False, server_default=""),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("maker", sa.String(32), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("confirmed", sa.Boolean, nullable=False, server_default=sa.true()),
        sa.Column("told", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("due", sa.BigInteger),
        sa.Column("marks", sa.Integer, nullable=False, server_default="0"),
        sa.Column("tries", sa.Integer, nullable=False, server_default="0"),
        sa.Column("wait_until", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("lease_by", sa.String(32)),
        sa.Column("lease_until", sa.BigInteger, nullable=False, server_default="0"),
    )
    op.create_index("calls_table", "calls", ["table_id"])
    op.create_index("calls_due", "calls", ["due"])
    op.create_index("calls_holder", "calls", ["holder", "endpoint_hash"], unique=True)
    op.create_index("calls_maker", "calls", ["maker", "created"])


def downgrade() -> None:
    """Remove it."""
    op.drop_table("calls")
