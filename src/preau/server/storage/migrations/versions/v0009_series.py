"""The games of an evening that were played before one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add them: of rematches made before, nobody has kept any."""
    op.add_column("tables", sa.Column("series", sa.Text))


def downgrade() -> None:
    """Remove them."""
    op.drop_column("tables", "series")
