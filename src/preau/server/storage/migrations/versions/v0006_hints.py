"""Whether hints may be asked for at a table, and how often they were."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both: at tables made before, nobody has asked."""
    op.add_column("tables", sa.Column("hints", sa.Boolean, nullable=False, server_default=sa.true()))
    op.add_column("tables", sa.Column("hinted", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    """Remove both."""
    op.drop_column("tables", "hinted")
    op.drop_column("tables", "hints")
