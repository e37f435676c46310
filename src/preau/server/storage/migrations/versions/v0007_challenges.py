"""The day whose challenge is played at a table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add it: at tables made before, none is."""
    op.add_column("tables", sa.Column("challenge", sa.String(10), nullable=False, server_default=""))


def downgrade() -> None:
    """Remove it."""
    op.drop_column("tables", "challenge")
