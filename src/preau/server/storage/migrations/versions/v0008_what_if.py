"""The position that a table's game is played on from, and where that is from."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both: tables made before begin at the beginning."""
    op.add_column("tables", sa.Column("start", sa.Text, nullable=False, server_default=""))
    op.add_column("tables", sa.Column("origin", sa.Text))


def downgrade() -> None:
    """Remove them."""
    op.drop_column("tables", "origin")
    op.drop_column("tables", "start")
