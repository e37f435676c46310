"""Who left a seat and may come back to it, as the hash of their token; whether somebody new may take such a seat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both, and say of seats that were left before which bot plays them."""
    op.add_column("seats", sa.Column("former", sa.String(64), nullable=False, server_default=""))
    op.add_column("tables", sa.Column("newcomers", sa.Boolean, nullable=False, server_default=sa.true()))
    op.execute(
        "UPDATE seats SET level = 'normal' WHERE kind = 'open' AND level = '' AND table_id IN "
        "(SELECT id FROM tables WHERE status != 'waiting')"
    )


def downgrade() -> None:
    """Remove both."""
    op.drop_column("tables", "newcomers")
    op.drop_column("seats", "former")
