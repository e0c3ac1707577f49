"""Mutual TLS 1.3 with raw public keys (RFC 7250): who may talk is decided by the peer's key alone.

- `keys`        this side's own P-256 key, in memory or in a device that signs for it
- `pins`        what names a key: SHA-256 over its SubjectPublicKeyInfo
- `errors`      what can go wrong, by what a caller does about it
- `stream`      TLS over any trio stream, as client or as server
- `connection`  the same without I/O: bytes in, bytes out
- `judge`       is the peer's key the one that is wanted?
- `_session`    a session of GnuTLS, and the key that it proves; handles and return codes stay in here and below
- `_gnutls`     the library as bound by ctypes, its errors, and the callbacks it makes
- `_header`     what of gnutls.h that needs
- `loading`     where the system's GnuTLS is, and what to install where it is missing

The profile is fixed on both ends: TLS 1.3, ECDSA P-256 with SHA-256, no certificates, no resumption. GnuTLS is loaded
at the first connection, not at import.
"""
