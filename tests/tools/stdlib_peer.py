"""Python's own `ssl` as a TLS peer with certificates, which Collie's profile has no room for."""

import datetime
import ssl
import tempfile
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat


def write_certificate(folder: Path) -> tuple[Path, Path]:
    """A self-signed P-256 certificate and its key, as PEM files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "peer")])
    begin = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(begin)
        .not_valid_after(begin + datetime.timedelta(days=36_500))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate_file, key_file = folder / "certificate.pem", folder / "key.pem"
    certificate_file.write_bytes(certificate.public_bytes(Encoding.PEM))
    key_file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return certificate_file, key_file


class StdlibPeer:
    """One end with a certificate; it believes any other."""

    def __init__(self, *, server: bool, newest: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER if server else ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        context.maximum_version = newest
        with tempfile.TemporaryDirectory(prefix="collie-tls-") as folder:
            context.load_cert_chain(*write_certificate(Path(folder)))
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._in, self._out, server_side=server)
        self.done = False
        self.peer_closed = False
        self.peer_spki: bytes | None = None

    @property
    def pending(self) -> bool:
        """There is something to `take`."""
        return self._out.pending > 0

    def handshake(self) -> bool:
        """As far as the input allows."""
        if not self.done:
            try:
                self._tls.do_handshake()
            except ssl.SSLWantReadError:
                return False
            self.done = True
        return self.done

    def feed(self, data: bytes) -> bytes:
        """Take bytes; the plaintext in them."""
        self._in.write(data)
        plain = b""
        while self.handshake():
            try:
                more = self._tls.read(16_384)
            except ssl.SSLWantReadError:
                break
            self.peer_closed = not more
            if not more:
                break
            plain += more
        return plain

    def write(self, data: bytes) -> None:
        """Encrypt."""
        self._tls.write(data)

    def take(self) -> bytes:
        """Bytes for the transport."""
        return self._out.read()

    def close_notify(self) -> None:
        """Say goodbye."""
        try:
            self._tls.unwrap()
        except ssl.SSLWantReadError:
            return
