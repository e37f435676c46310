"""Reviews of finished games, and the pieces they are made of."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both."""
    op.create_table(
        "reviews",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("table_id", sa.String(32)),
        sa.Column("maker", sa.String(32), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("plan", sa.Text, nullable=False),
        sa.Column("pieces", sa.Integer, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False, server_default="0"),
        sa.Column("found", sa.LargeBinary),
        sa.Column("lease_by", sa.String(32)),
        sa.Column("lease_until", sa.BigInteger, nullable=False, server_default="0"),
    )
    op.create_index("reviews_waiting", "reviews", ["status", "created"])
    op.create_index("reviews_table", "reviews", ["table_id"])
    op.create_index("reviews_maker", "reviews", ["maker", "created"])
    op.create_table(
        "review_pieces",
        sa.Column("review_id", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("found", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("review_id", "number"),
    )


def downgrade() -> None:
    """Remove them."""
    op.drop_table("review_pieces")
    op.drop_table("reviews")
