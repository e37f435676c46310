"""The arm wrestling of those who share the first place, as JSON."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add it; nobody has wrestled yet."""
    op.add_column("tables", sa.Column("contest", sa.Text))


def downgrade() -> None:
    """Remove it."""
    op.drop_column("tables", "contest")
