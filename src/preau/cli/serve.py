"""`preau serve`: live tables for people and bots."""

from __future__ import annotations

import errno
import os
import socket
import sys
import webbrowser
from typing import Annotated

import typer

from ..core.errors import SetupError
from ..core.installed import without_malformed


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for the local network.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8000,
    database: Annotated[
        str, typer.Option(metavar="URL", help="sqlite:///file.db or postgresql://user@host/name.")
    ] = "sqlite:///preau.db",
    redis: Annotated[
        str, typer.Option(metavar="URL", help="redis://host, so that several processes serve the same tables.")
    ] = "",
    origin: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="Public address, such as https://play.example.org. Repeatable."),
    ] = None,
    proxies: Annotated[
        str, typer.Option(metavar="ADDRESSES", help="Proxies whose X-Forwarded-For is believed, with commas.")
    ] = "127.0.0.1",
    bot_workers: Annotated[int, typer.Option(min=0, help="Processes that think for bots. [default: cores - 1]")] = 0,
    bot: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=FILE.onnx", help="Offer a network as a bot of its game, under a name. Repeatable."),
    ] = None,
    keep_waiting: Annotated[
        int, typer.Option(min=0, metavar="DAYS", help="Days until a table that never began is deleted; 0: never.")
    ] = 30,
    keep_unfinished: Annotated[
        int, typer.Option(min=0, metavar="DAYS", help="Days until a game nobody goes on with is deleted; 0: never.")
    ] = 365,
    keep_finished: Annotated[
        int, typer.Option(min=0, metavar="DAYS", help="Days until a finished game is deleted; 0: never.")
    ] = 365,
    keep_per_address: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="TABLES", help="Tables of a month kept of one address; 0: any number. [default: 5000]"
        ),
    ] = None,
    push: Annotated[
        bool, typer.Option(help="Let browsers be called when it is their turn, at tables with days for a move.")
    ] = True,
    push_contact: Annotated[
        str, typer.Option(metavar="URL", help="Where push services can ask about this server: mailto:… or https://…")
    ] = "",
    push_anywhere: Annotated[
        bool, typer.Option("--push-anywhere", help="Also call addresses of this network, and without TLS.")
    ] = False,
    smtp: Annotated[
        str,
        typer.Option(
            envvar="PREAU_SMTP", metavar="URL", help="Write mails, too: smtps://user:password@host or smtp://host."
        ),
    ] = "",
    mail_from: Annotated[str, typer.Option(metavar="ADDRESS", help="The address that mails are from.")] = "",
    metrics: Annotated[str, typer.Option(help="Who may read /metrics: loopback, all or off.")] = "loopback",
    metrics_token: Annotated[
        str,
        typer.Option(envvar="PREAU_METRICS_TOKEN", help="Who sends this may read /metrics; needed with --origin."),
    ] = "",
    log_level: Annotated[str, typer.Option(help="debug, info, warning or error.")] = "info",
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help="Set a limit or a time limit, such as tables_burst=200. Repeatable."
        ),
    ] = None,
    list_settings: Annotated[
        bool, typer.Option("--settings", help="List what --set takes, with defaults, and serve nothing.")
    ] = False,
    show: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Serve live tables to browsers and programs.

    Everything is kept in one SQLite file by default. With PostgreSQL and Redis any number of processes serve the same
    tables; docs/hosting.md says how.
    """
    try:
        with without_malformed():
            from ..server.config import Config, Limits
            from ..server.custom_bots import read_bots
            from ..server.notifications.email import check_mail_settings
            from ..server.runner import run
            from ..server.settings import read_settings, settings
    except ModuleNotFoundError as missing:
        raise SetupError(
            f"the server needs {missing.name}", field="serve", hint="Install it with: pip install 'preau[web]'"
        ) from None
    if list_settings:
        for setting in settings().values():
            typer.echo(f"{setting.name}={setting.shown}\n    {setting.meaning}")
        return
    limits, more = read_settings(set_ or ())
    if keep_per_address is not None:
        limits["tables_kept_per_address"] = keep_per_address
    if metrics not in ("loopback", "all", "off"):
        raise SetupError(f"{metrics!r} is nobody", field="--metrics", hint="Say loopback, all or off.")
    if metrics_token and not 16 <= len(metrics_token) <= 80:
        raise SetupError("that is no token", field="--metrics-token", hint="Use 16 to 80 letters nobody can guess.")
    if log_level not in ("debug", "info", "warning", "error"):
        raise SetupError(f"{log_level!r} is no level", field="--log-level", hint="Say debug, info, warning or error.")
    for one in origin or ():
        if not one.startswith(("http://", "https://")):
            raise SetupError(f"{one!r} is no address", field="--origin", hint="Write https://play.example.org.")
    if push_contact and not push_contact.startswith(("mailto:", "https://")):
        raise SetupError(
            f"{push_contact!r} is no contact", field="--push-contact", hint="Write mailto:you@example.org, or https://…"
        )
    if smtp:
        check_mail_settings(smtp, mail_from, origin or ())
    if not _free(host, port):
        raise SetupError(f"port {port} is taken", field="--port", hint=f"Choose another: --port {port % 65535 + 1}.")
    config = Config(
        host=host,
        port=port,
        database=database,
        redis=redis,
        origins=tuple(origin or ()),
        proxies=proxies,
        keep_waiting_days=keep_waiting,
        keep_unfinished_days=keep_unfinished,
        keep_finished_days=keep_finished,
        push=push,
        push_contact=push_contact,
        push_anywhere=push_anywhere,
        smtp=smtp,
        mail_from=mail_from,
        metrics=metrics,
        metrics_token=metrics_token,
        limits=Limits(**limits),
        log_level=log_level,
        bots=read_bots(bot or ()),
        bot_workers=bot_workers or Config().bot_workers,
        **more,
    )
    address = f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}"

    def ready() -> None:
        typer.echo(f"Préau is open at {address} until Ctrl-C.")
        if show and _can_show():
            webbrowser.open(address)

    run(config, ready)


def _free(host: str, port: int) -> bool:
    """Whether nobody listens there yet."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error.errno != errno.EADDRINUSE
    return True


def _can_show() -> bool:
    """Whether there is a screen to open a browser on; a text browser in this terminal is not what anybody wants."""
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
