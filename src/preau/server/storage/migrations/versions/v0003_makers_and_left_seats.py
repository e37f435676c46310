"""Who made a table, as a keyed hash; who agrees that a left seat is taken again; what the house itself keeps; and all
tables of one person can be found.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add all of that."""
    op.add_column("tables", sa.Column("maker", sa.String(32), nullable=False, server_default=""))
    op.create_index("tables_maker", "tables", ["maker", "created"])
    op.add_column("seats", sa.Column("agreed", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "settings",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_index("holders_person", "holders", ["token_hash"])


def downgrade() -> None:
    """Remove all of that."""
    op.drop_index("holders_person", "holders")
    op.drop_table("settings")
    op.drop_column("seats", "agreed")
    op.drop_index("tables_maker", "tables")
    op.drop_column("tables", "maker")
