"""nginx and Caddy in front of servers, with the files in `deploy/`."""

from __future__ import annotations

import datetime
import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.server.processes import ROOT, Server, free_port, wait_for
from tests.support import PATIENCE
from tools.proxies import find, missing, path_of

DEPLOY = ROOT / "deploy"
NAME = "play.example.org"
ORIGIN = f"https://{NAME}"


def require(program: str) -> None:
    """Skip a test whose proxy is not here, unless this is a machine for which `tools.proxies` can get Debian's."""
    if find(program) is None and shutil.which("apt-get") is None:
        pytest.skip(missing(program))


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Write a self-signed certificate for the public name, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName(NAME), x509.IPAddress(ip_address("127.0.0.1"))]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(key, hashes.SHA256())
    )
    files = folder / "fullchain.pem", folder / "privkey.pem"
    files[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8
    files[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))
    return files


def adapted(file: str, changes: dict[str, str]) -> str:
    """A file of `deploy/` with what a test has to change; all of it is there once, or the file is not as it was."""
    text = (DEPLOY / file).read_text(encoding="utf-8")
    for old, new in changes.items():
        assert text.count(old) == 1, (file, old)
        text = text.replace(old, new)
    return text


class Proxy:
    """A proxy with TLS in front of one server or two, on ports of its own."""

    program: str

    def __init__(self, folder: Path, servers: Sequence[Server], changes: dict[str, str] | None = None) -> None:
        """`changes` is what a test replaces in the file of `deploy/` besides."""
        require(self.program)
        self.folder = folder
        self.changes = changes or {}
        self.port, self.plain_port = free_port(), free_port()
        self.certificate, self.key = make_certificate(folder)
        self.trust = ssl.create_default_context(cafile=str(self.certificate))
        self.dialing = {"host": "127.0.0.1", "port": self.port, "ssl": self.trust}
        """What `dial` needs to find the public name here."""
        self.write(servers)
        self._log = (folder / "output").open("wb")
        self._process = subprocess.Popen(self.command(), stdout=self._log, stderr=self._log, env=self.environment())
        try:
            wait_for(self._answers)
        except TimeoutError:
            self.stop()
            raise RuntimeError((folder / "output").read_text()) from None

    def write(self, servers: Sequence[Server]) -> None:
        """Write the configuration."""
        raise NotImplementedError

    def command(self) -> list[str]:
        """What starts it."""
        raise NotImplementedError

    def environment(self) -> dict[str, str]:
        return {**os.environ, "HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder)}

    def client(self, **more: object) -> httpx.Client:
        """A client that asks for the public name, from an address of this machine."""
        return httpx.Client(
            base_url=f"https://127.0.0.1:{self.port}",
            headers={"Host": NAME},
            transport=httpx.HTTPTransport(verify=self.trust, **more),  # type: ignore[arg-type]
            timeout=PATIENCE,
        )

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE)
        self._log.close()

    def _answers(self) -> bool:
        if self._process.poll() is not None:
            raise RuntimeError((self.folder / "output").read_text())
        socket.create_connection(("127.0.0.1", self.port)).close()
        return True


class Nginx(Proxy):
    """`deploy/nginx.conf`, included as Debian's own configuration includes it."""

    program = "nginx"

    def write(self, servers: Sequence[Server]) -> None:
        letsencrypt = f"/etc/letsencrypt/live/{NAME}"
        changes = {
            "listen 80;": f"listen 127.0.0.1:{self.plain_port};",
            "    listen [::]:80;\n": "",
            "listen 443 ssl http2;": f"listen 127.0.0.1:{self.port} ssl http2;",
            "    listen [::]:443 ssl http2;\n": "",
            **self.changes,
            f"{letsencrypt}/fullchain.pem": str(self.certificate),
            f"{letsencrypt}/privkey.pem": str(self.key),
            "server 127.0.0.1:8000": f"server 127.0.0.1:{servers[0].port}",
        }
        if len(servers) > 1:
            changes["# server 127.0.0.1:8001"] = f"server 127.0.0.1:{servers[1].port}"
        (self.folder / "site.conf").write_text(adapted("nginx.conf", changes))
        user = "" if os.geteuid() else "user root;"
        temporary = "".join(
            f"{kind}_temp_path {self.folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (self.folder / "nginx.conf").write_text(
            f"{user} daemon off; worker_processes 1; pid {self.folder}/pid; error_log errors warn; "
            "events {}\n"
            f"http {{ access_log off; {temporary} include site.conf; }}\n"
        )
        tested = subprocess.run([*self.command(), "-t"], capture_output=True, text=True, check=False)
        assert tested.returncode == 0, tested.stderr
        warnings = [line for line in tested.stderr.splitlines() if "[warn]" in line]
        assert [line for line in warnings if "http2" not in line] == []  # said since 1.25

    def command(self) -> list[str]:
        return [path_of(self.program), "-p", str(self.folder), "-e", "errors", "-c", "nginx.conf"]


class Caddy(Proxy):
    """`deploy/Caddyfile`, with a certificate that Caddy need not ask for."""

    program = "caddy"

    def write(self, servers: Sequence[Server]) -> None:
        addresses = " ".join(f"127.0.0.1:{server.port}" for server in servers)
        changes = {
            "\n{\n\t#": f"\n{{\n\tadmin off\n\tauto_https disable_redirects\n\thttp_port {self.plain_port}\n\t#",
            **self.changes,
            f"\n{NAME} {{": f"\n{NAME}:{self.port} {{\n\tbind 127.0.0.1\n\ttls {self.certificate} {self.key}",
            "reverse_proxy 127.0.0.1:8000 {": f"reverse_proxy {addresses} {{",
        }
        (self.folder / "Caddyfile").write_text(adapted("Caddyfile", changes))

    def command(self) -> list[str]:
        return [path_of(self.program), "run", "--adapter", "caddyfile", "--config", str(self.folder / "Caddyfile")]
